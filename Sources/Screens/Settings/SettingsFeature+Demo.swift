public import CanonicalJSON
public import Forms
public import ViewState

extension SettingsFeature {
  /// The pages of the demo in a language, in the order in which they are listed.
  public static func demo(in language: Language) -> [(key: Text, outline: FormOutline)] {
    let pages: [(Text, (Texts) -> JSONValue)] = [
      ("general", general), ("notifications", notifications), ("privacy", privacy),
    ]
    return pages.map { key, page in
      (key, FormKinds.standard.outline(page { .string(Localized(en: $0, de: $1)[language]) }))
    }
  }

  /// Returns the English or the German text.
  private typealias Texts = (_ en: Text, _ de: Text) -> JSONValue

  private static func general(_ text: Texts) -> JSONValue {
    [
      [
        "id": "account", "title": text("Account", "Konto"),
        "rows": [
          [
            "id": "accountTitle", "kind": "sectionHeader",
            "label": text("Title of this section", "Titel dieses Abschnitts"),
            "placeholder": text("No title", "Kein Titel"),
          ],
          [
            "id": "picture", "kind": "avatar", "label": text("Picture", "Bild"), "cap": 72,
            "default": "/favicon.svg", "placeholder": "https://…",
          ],
          [
            "id": "name", "kind": "text", "label": "Name", "required": true,
            "default": "Ada", "maxLength": 80, "autocomplete": "name",
          ],
          [
            "id": "since", "kind": "info", "label": text("Member since", "Mitglied seit"),
            "text": text("5 January 2026", "5. Januar 2026"),
          ],
        ],
      ],
      [
        "id": "farm", "title": text("From the farm", "Vom Hof"),
        "rows": [
          [
            "id": "letterOffer", "kind": "offer",
            "title": text("What grows this week?", "Was wächst diese Woche?"),
            "text": text(
              "The letter from the farm tells you before you fetch your share.",
              "Der Brief vom Hof sagt es dir, bevor du deinen Anteil holst."),
            "button": text("Get the letter", "Brief bestellen"),
            "enters": ["row": "letter", "value": true],
          ],
          [
            "id": "letter", "kind": "switch",
            "label": text("Letter from the farm", "Brief vom Hof"),
          ],
          [
            "id": "rhythm", "kind": "dropdown", "label": text("How often", "Wie oft"),
            "default": "weekly", "visibility": ["row": "letter", "equals": true],
            "options": [
              ["id": "weekly", "title": text("Every week", "Jede Woche")],
              ["id": "monthly", "title": text("Every month", "Jeden Monat")],
            ],
          ],
        ],
      ],
      [
        "id": "more",
        "rows": [
          [
            "id": "toNotifications", "kind": "link", "text": text("Notifications", "Mitteilungen"),
            "detail": text("When and where we reach you", "Wann und wo wir dich erreichen"),
            "to": "settings/notifications",
          ],
          [
            "id": "toPrivacy", "kind": "link", "text": text("Privacy", "Privatsphäre"),
            "detail": text("What other members see", "Was andere Mitglieder sehen"),
            "to": "settings/privacy",
          ],
          ["id": "line", "kind": "splitter"],
          [
            "id": "startOver", "kind": "button", "text": text("Start over", "Von vorn beginnen"),
            "does": "reset",
          ],
        ],
      ],
    ]
  }

  private static func notifications(_ text: Texts) -> JSONValue {
    [
      [
        "id": "push", "title": text("On your phone", "Auf dem Telefon"),
        "rows": [
          [
            "id": "isOn", "kind": "switch",
            "label": text(
              "Tell me when my share is ready", "Sagt mir, wenn mein Anteil bereitliegt"),
          ],
          [
            "id": "phone", "kind": "phone", "label": text("Phone", "Telefon"), "required": true,
            "countryCode": "49", "autocomplete": "tel",
            "visibility": ["row": "isOn", "equals": true],
          ],
          [
            "id": "quiet", "kind": "date",
            "label": text("Leave me alone until", "Lasst mich in Ruhe bis"),
          ],
        ],
      ],
      [
        "id": "back",
        "rows": [
          [
            "id": "toGeneral", "kind": "link", "text": text("General", "Allgemein"),
            "to": "settings/general",
          ]
        ],
      ],
    ]
  }

  private static func privacy(_ text: Texts) -> JSONValue {
    [
      [
        "id": "others", "title": text("What other members see", "Was andere Mitglieder sehen"),
        "rows": [
          [
            "id": "showsName", "kind": "switch", "label": text("My name", "Mein Name"),
            "default": true,
          ],
          ["id": "showsPicture", "kind": "switch", "label": text("My picture", "Mein Bild")],
          ["id": "line", "kind": "splitter"],
          [
            "id": "address", "kind": "info", "label": text("Your address", "Deine Adresse"),
            "text": text(
              "Only those see it who bring your share.",
              "Sie sehen nur die, die deinen Anteil bringen."),
          ],
        ],
      ],
      [
        "id": "back",
        "rows": [
          [
            "id": "toGeneral", "kind": "link", "text": text("General", "Allgemein"),
            "to": "settings/general",
          ]
        ],
      ],
    ]
  }
}
