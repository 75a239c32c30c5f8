extension FormFeature {
  /// The forms and companies that a server without a data file starts with.
  static var demo: StaticString {
    #"""
    {
      "forms": [
        {
          "id": 1,
          "title": "Join the Lindenhof co-operative",
          "sections": [
            {"id": "you", "title": "About you", "rows": [
              {"id": "aboutYou", "kind": "header", "text": "Who you are, and how we reach you"},
              {"id": "name", "kind": "text", "label": "Name", "autocomplete": "name", "required": true, "placeholder": "First and last name", "minLength": 2, "maxLength": 80, "characters": "letters"},
              {"id": "email", "kind": "text", "label": "E-mail", "autocomplete": "email", "required": true, "inputType": "email", "placeholder": "you@example.org"},
              {"id": "phone", "kind": "phone", "label": "Phone", "autocomplete": "tel", "countryCode": "49", "placeholder": "030 901820"},
              {"id": "born", "kind": "date", "label": "Date of birth", "autocomplete": "bday", "required": true, "min": "1900-01-01", "max": "2008-12-31", "errorText": "Members are of age: enter a date up to 2008-12-31."},
              {"id": "website", "kind": "text", "label": "Website", "autocomplete": "url", "inputType": "url", "placeholder": "https://…"}]},
            {"id": "share", "title": "Your share", "rows": [
              {"id": "size", "kind": "dropdown", "label": "Share", "required": true, "default": "full", "placeholder": "Choose one", "options": [{"id": "half", "title": "Half a share"}, {"id": "full", "title": "A full share"}, {"id": "double", "title": "Two shares"}]},
              {"id": "hours", "kind": "text", "label": "Hours you can help each month", "inputType": "number", "default": "4", "min": 0, "max": 40},
              {"id": "pickUp", "kind": "switch", "label": "I fetch my share at the farm", "default": true},
              {"id": "station", "kind": "dropdown", "label": "Station", "required": true, "placeholder": "Where to", "visibility": {"row": "pickUp", "equals": false}, "options": [{"id": "north", "title": "North gate"}, {"id": "harbour", "title": "Harbour"}]}]},
            {"id": "firm", "title": "Paying as a firm", "rows": [
              {"id": "isFirm", "kind": "switch", "label": "A firm pays for me"},
              {"id": "taxNumber", "kind": "taxNumber", "label": "Tax number", "required": true, "placeholder": "DE…", "visibility": {"row": "isFirm", "equals": true}, "fills": {"name": "firmName", "city": "firmCity"}},
              {"id": "firmName", "kind": "text", "label": "Firm", "autocomplete": "organization", "required": true, "maxLength": 120, "visibility": {"row": "isFirm", "equals": true}},
              {"id": "firmCity", "kind": "text", "label": "Seat", "maxLength": 80, "visibility": {"row": "isFirm", "equals": true}}]},
            {"id": "help", "title": "What you bring along", "rows": [
              {"id": "tools", "kind": "group", "text": "Tools", "rows": [
                {"id": "forWood", "kind": "group", "text": "For wood", "rows": [
                  {"id": "saws", "kind": "group", "text": "Saws", "collapsed": true, "rows": [
                    {"id": "chainsaw", "kind": "switch", "label": "Chainsaw"},
                    {"id": "licence", "kind": "text", "label": "Number of your chainsaw licence", "required": true, "characters": "lettersAndDigits", "visibility": {"row": "chainsaw", "equals": true}},
                    {"id": "handsaw", "kind": "switch", "label": "Handsaw"}]},
                  {"id": "axe", "kind": "switch", "label": "Axe"}]},
                {"id": "forSoil", "kind": "group", "text": "For the soil", "collapsed": true, "rows": [
                  {"id": "spade", "kind": "switch", "label": "Spade"},
                  {"id": "hoe", "kind": "switch", "label": "Hoe"}]}]},
              {"id": "skills", "kind": "text", "label": "What you are good at", "maxLength": 200, "weight": 10},
              {"id": "campaign", "kind": "text", "label": "Campaign", "default": "spring", "visibility": "hidden"}]},
            {"id": "end", "rows": [
              {"id": "startOver", "kind": "button", "text": "Start over", "does": "reset", "weight": 30},
              {"id": "send", "kind": "button", "text": "Join", "does": "submit", "weight": 20},
              {"id": "agree", "kind": "switch", "label": "I have read the statutes", "required": true, "errorText": "Nobody can join without them.", "weight": 10}]}],
          "activity": [
            {"id": 1, "date": "2026-01-04T08:15:00Z", "text": "Henrik Voss left a note on the harvest"},
            {"id": 2, "date": "2026-01-05T09:24:00Z", "text": "Aylin Demir brought a ladder"},
            {"id": 3, "date": "2026-01-06T16:05:00Z", "text": "Ida Sørensen took over the bees"},
            {"id": 4, "date": "2026-01-07T00:09:00Z", "text": "Greta Lindqvist gave a day in the orchard"},
            {"id": 5, "date": "2026-01-08T15:15:00Z", "text": "Rosa Delgado changed to half a share"},
            {"id": 6, "date": "2026-01-09T19:52:00Z", "text": "Lucia Ferrari joined"},
            {"id": 7, "date": "2026-01-10T04:50:00Z", "text": "Jonas Brandt left a note on the harvest"},
            {"id": 8, "date": "2026-01-11T18:03:00Z", "text": "Noor Haddad brought a ladder"},
            {"id": 9, "date": "2026-01-12T01:08:00Z", "text": "Pawel Nowak took over the bees"},
            {"id": 10, "date": "2026-01-13T09:34:00Z", "text": "Felix Marquardt gave a day in the orchard"},
            {"id": 11, "date": "2026-01-13T18:49:00Z", "text": "Tom Adeyemi changed to half a share"},
            {"id": 12, "date": "2026-01-14T05:24:00Z", "text": "Milena Okafor joined"},
            {"id": 13, "date": "2026-01-15T13:27:00Z", "text": "Henrik Voss left a note on the harvest"},
            {"id": 14, "date": "2026-01-16T01:41:00Z", "text": "Aylin Demir brought a ladder"},
            {"id": 15, "date": "2026-01-16T10:17:00Z", "text": "Ida Sørensen took over the bees"},
            {"id": 16, "date": "2026-01-17T16:20:00Z", "text": "Greta Lindqvist gave a day in the orchard"},
            {"id": 17, "date": "2026-01-18T11:22:00Z", "text": "Rosa Delgado changed to half a share"},
            {"id": 18, "date": "2026-01-20T04:16:00Z", "text": "Lucia Ferrari joined"},
            {"id": 19, "date": "2026-01-20T17:34:00Z", "text": "Jonas Brandt left a note on the harvest"},
            {"id": 20, "date": "2026-01-22T00:43:00Z", "text": "Noor Haddad brought a ladder"},
            {"id": 21, "date": "2026-01-23T15:50:00Z", "text": "Pawel Nowak took over the bees"},
            {"id": 22, "date": "2026-01-24T16:25:00Z", "text": "Felix Marquardt gave a day in the orchard"},
            {"id": 23, "date": "2026-01-25T08:31:00Z", "text": "Tom Adeyemi changed to half a share"},
            {"id": 24, "date": "2026-01-26T01:54:00Z", "text": "Milena Okafor joined"},
            {"id": 25, "date": "2026-01-26T13:29:00Z", "text": "Henrik Voss left a note on the harvest"},
            {"id": 26, "date": "2026-01-26T23:05:00Z", "text": "Aylin Demir brought a ladder"},
            {"id": 27, "date": "2026-01-27T07:44:00Z", "text": "Ida Sørensen took over the bees"},
            {"id": 28, "date": "2026-01-28T02:15:00Z", "text": "Greta Lindqvist gave a day in the orchard"},
            {"id": 29, "date": "2026-01-29T17:42:00Z", "text": "Rosa Delgado changed to half a share"},
            {"id": 30, "date": "2026-01-30T19:11:00Z", "text": "Lucia Ferrari joined"},
            {"id": 31, "date": "2026-02-01T05:34:00Z", "text": "Jonas Brandt left a note on the harvest"},
            {"id": 32, "date": "2026-02-02T05:49:00Z", "text": "Noor Haddad brought a ladder"},
            {"id": 33, "date": "2026-02-02T22:33:00Z", "text": "Pawel Nowak took over the bees"},
            {"id": 34, "date": "2026-02-03T18:38:00Z", "text": "Felix Marquardt gave a day in the orchard"},
            {"id": 35, "date": "2026-02-04T19:11:00Z", "text": "Tom Adeyemi changed to half a share"},
            {"id": 36, "date": "2026-02-06T08:07:00Z", "text": "Milena Okafor joined"},
            {"id": 37, "date": "2026-02-07T10:53:00Z", "text": "Henrik Voss left a note on the harvest"},
            {"id": 38, "date": "2026-02-08T20:11:00Z", "text": "Aylin Demir brought a ladder"},
            {"id": 39, "date": "2026-02-09T05:18:00Z", "text": "Ida Sørensen took over the bees"},
            {"id": 40, "date": "2026-02-10T18:44:00Z", "text": "Greta Lindqvist gave a day in the orchard"},
            {"id": 41, "date": "2026-02-11T10:32:00Z", "text": "Rosa Delgado changed to half a share"},
            {"id": 42, "date": "2026-02-12T12:41:00Z", "text": "Lucia Ferrari joined"},
            {"id": 43, "date": "2026-02-14T01:07:00Z", "text": "Jonas Brandt left a note on the harvest"},
            {"id": 44, "date": "2026-02-14T08:49:00Z", "text": "Noor Haddad brought a ladder"},
            {"id": 45, "date": "2026-02-14T18:37:00Z", "text": "Pawel Nowak took over the bees"},
            {"id": 46, "date": "2026-02-16T11:13:00Z", "text": "Felix Marquardt gave a day in the orchard"},
            {"id": 47, "date": "2026-02-17T12:34:00Z", "text": "Tom Adeyemi changed to half a share"},
            {"id": 48, "date": "2026-02-18T16:12:00Z", "text": "Milena Okafor joined"},
            {"id": 49, "date": "2026-02-20T04:49:00Z", "text": "Henrik Voss left a note on the harvest"},
            {"id": 50, "date": "2026-02-21T14:53:00Z", "text": "Aylin Demir brought a ladder"},
            {"id": 51, "date": "2026-02-22T01:10:00Z", "text": "Ida Sørensen took over the bees"},
            {"id": 52, "date": "2026-02-23T12:54:00Z", "text": "Greta Lindqvist gave a day in the orchard"},
            {"id": 53, "date": "2026-02-23T21:57:00Z", "text": "Rosa Delgado changed to half a share"},
            {"id": 54, "date": "2026-02-24T22:38:00Z", "text": "Lucia Ferrari joined"},
            {"id": 55, "date": "2026-02-26T07:56:00Z", "text": "Jonas Brandt left a note on the harvest"},
            {"id": 56, "date": "2026-02-27T13:52:00Z", "text": "Noor Haddad brought a ladder"},
            {"id": 57, "date": "2026-02-28T16:53:00Z", "text": "Pawel Nowak took over the bees"}]
        },
        {
          "id": 2,
          "title": "Letter from the farm",
          "sections": [
            {"id": "letter", "rows": [
              {"id": "email", "kind": "text", "label": "E-mail", "autocomplete": "email", "required": true, "inputType": "email"},
              {"id": "rhythm", "kind": "dropdown", "label": "How often", "default": "monthly", "options": [{"id": "weekly", "title": "Every week"}, {"id": "monthly", "title": "Every month"}]},
              {"id": "subscribe", "kind": "button", "text": "Subscribe", "does": "submit"}]}]
        }
      ],
      "companies": [
        {"id": 1, "taxNumber": "DE136695976", "name": "Kornblume Mühle GmbH", "city": "Jena"},
        {"id": 2, "taxNumber": "DE136695976", "name": "Kornblume Mühle GmbH, Werk Süd", "city": "Apolda"},
        {"id": 3, "taxNumber": "DE115235681", "name": "Fahrradhof Eichkamp eG", "city": "Berlin"},
        {"id": 4, "taxNumber": "DE123456788", "name": "Wattwerk Insel KG", "city": "Husum"},
        {"id": 5, "taxNumber": "DE304050607", "name": "Druckerei Silberfisch", "city": "Leipzig"},
        {"id": 6, "taxNumber": "DE271828180", "name": "Euler & Töchter Optik", "city": "Weimar"}
      ]
    }
    """#
  }
}
