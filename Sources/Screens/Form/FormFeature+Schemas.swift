import CanonicalJSON

extension FormFeature {
  /// The schemas of the screen and of forms for the OpenAPI document.
  static let schemas = DemoData.value(
    #"""
    {
      "tags": [
        {
          "name": "Forms",
          "description": "The store behind the screens `form`: forms as they are described, what has happened with them, and the registry of firms that tax numbers are looked up in. What users enter is no part of a form: it is sent to the screen as commands, and kept as an entry once the form is sent.\n\nThe screen `form` has a section `form` with a `formTitle`; the sections of the form under their own ids, in which a row that its description calls `phone` has the id `phone`, and the rows that belong to it stand right behind it under ids that begin with `phone/`; a section `submission` with at most one row, on what became of sending the form; and a section `activity`: a `contentHeader`, an `activityEntry` for each thing that has happened, the newest first, as far as it is loaded, and behind them a `pageProgress` (a page is on its way, or there are more), a `pageEnd`, a `contentEmpty` or a `contentError`.\n\nA row that can be edited has `input`, `value` and `change`: show it by the type of its `input`, and to enter a value send the `change.command` with the new value as the member that `change.argument` names. The value of a `checkbox` is a boolean, that of a `select` the id of an option or null, all others are texts. A value that is right comes back laid out; one that is wrong comes back as it was entered, with a `fieldError` right behind the row. `depth` says in how many groups a row stands; it is absent where it stands in none."
        }
      ],
      "components": {
        "schemas": {
          "FormContentHeaderRow": {
            "type": "object",
            "description": "The title above the activity, which the action loads.",
            "required": ["id", "type", "text"],
            "properties": {
              "id": {"const": "activity/header"},
              "type": {"const": "contentHeader"},
              "text": {"type": "string"},
              "action": {"$ref": "#/components/schemas/Action"}
            },
            "examples": [{"id": "activity/header", "type": "contentHeader", "text": "Activity"}]
          },
          "FormContentLoadingRow": {
            "type": "object",
            "description": "The activity is loading, a tax number is being looked up, or a form is being sent; the last two have a text and can be called off.",
            "required": ["id", "type"],
            "properties": {
              "id": {
                "type": "string",
                "description": "`activity/loading`, `submission/loading`, or the id of a field and `/loading`."
              },
              "type": {"const": "contentLoading"},
              "text": {"type": "string"},
              "action": {"$ref": "#/components/schemas/Action"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [{"id": "activity/loading", "type": "contentLoading"}]
          },
          "FormContentEmptyRow": {
            "type": "object",
            "description": "There is no activity, or no firm has a tax number.",
            "required": ["id", "type", "text"],
            "properties": {
              "id": {
                "type": "string",
                "description": "`activity/empty`, or the id of a field and `/empty`."
              },
              "type": {"const": "contentEmpty"},
              "text": {"type": "string"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [{"id": "activity/empty", "type": "contentEmpty", "text": "No activity yet"}]
          },
          "FormContentErrorRow": {
            "type": "object",
            "description": "A page of the activity could not be loaded, a tax number not be looked up, or a form not be sent.",
            "required": ["id", "type", "code", "text", "action"],
            "properties": {
              "id": {
                "type": "string",
                "description": "`activity/error`, `submission/failed`, or the id of a field and `/failed`."
              },
              "type": {"const": "contentError"},
              "code": {"$ref": "#/components/schemas/LoadFailureCode"},
              "text": {"type": "string", "description": "For people."},
              "action": {"$ref": "#/components/schemas/Action"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "activity/error",
                "type": "contentError",
                "code": "timed-out",
                "text": "Couldn't load activity.",
                "action": {"title": "Retry", "command": {"type": "retryPage"}}
              }
            ]
          },
          "PageProgressRow": {
            "type": "object",
            "description": "The end of what is shown of a long list, where there is more: a page is on its way, which the action calls off, or the action loads the next one.",
            "required": ["id", "type", "isLoading", "text", "action"],
            "properties": {
              "id": {"const": "activity/progress"},
              "type": {"const": "pageProgress"},
              "isLoading": {"type": "boolean"},
              "text": {"type": "string"},
              "action": {"$ref": "#/components/schemas/Action"}
            },
            "examples": [
              {
                "id": "activity/progress",
                "type": "pageProgress",
                "isLoading": false,
                "text": "20 shown",
                "action": {"title": "Load more", "command": {"type": "loadNextPage"}}
              }
            ]
          },
          "PageEndRow": {
            "type": "object",
            "description": "The end of a long list.",
            "required": ["id", "type", "text"],
            "properties": {
              "id": {"const": "activity/end"},
              "type": {"const": "pageEnd"},
              "text": {"type": "string"}
            },
            "examples": [{"id": "activity/end", "type": "pageEnd", "text": "That is all: 57 entries"}]
          },
          "FormDepth": {
            "type": "integer",
            "minimum": 1,
            "maximum": 8,
            "description": "In how many groups the row stands; absent where it stands in none."
          },
          "FormChange": {
            "type": "object",
            "description": "How a value is entered: send `command` with the new value as one more member, under the name in `argument`.",
            "required": ["argument", "command"],
            "properties": {
              "argument": {"const": "value"},
              "command": {
                "type": "object",
                "required": ["type", "row"],
                "properties": {"type": {"const": "didChange"}, "row": {"type": "string"}}
              }
            },
            "examples": [{"argument": "value", "command": {"type": "didChange", "row": "phone"}}]
          },
          "FormInputType": {
            "type": "object",
            "description": "What a client needs to let a user enter a value. The types are those of HTML's inputs, and `select`. The limits are hints: the server judges what is sent.",
            "required": ["type"],
            "properties": {
              "type": {"enum": ["text", "email", "url", "number", "tel", "date", "select", "checkbox"]},
              "placeholder": {"type": "string"},
              "maxLength": {"type": "integer"},
              "min": {"type": ["string", "number"], "description": "The first date, or the least number."},
              "max": {"type": ["string", "number"]},
              "options": {
                "type": "array",
                "description": "Those of a `select`.",
                "items": {"$ref": "#/components/schemas/FormOption"}
              }
            },
            "examples": [{"type": "date", "min": "1900-01-01", "max": "2008-12-31"}]
          },
          "FormOption": {
            "type": "object",
            "description": "One of the values of a choice.",
            "required": ["id", "title"],
            "properties": {"id": {"type": "string"}, "title": {"type": "string"}},
            "additionalProperties": false
          },
          "FormTitleRow": {
            "type": "object",
            "description": "The title of a form. Its action starts over.",
            "required": ["id", "type", "text", "action"],
            "properties": {
              "id": {"const": "form/title"},
              "type": {"const": "formTitle"},
              "text": {"type": "string"},
              "action": {"$ref": "#/components/schemas/Action"}
            },
            "examples": [
              {
                "id": "form/title",
                "type": "formTitle",
                "text": "Join the Lindenhof co-operative",
                "action": {"title": "Start over", "command": {"type": "reset"}}
              }
            ]
          },
          "FormHeaderRow": {
            "type": "object",
            "description": "A line of text above other rows.",
            "required": ["id", "type", "text"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "formHeader"},
              "text": {"type": "string"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [{"id": "aboutYou", "type": "formHeader", "text": "Who you are, and how we reach you"}]
          },
          "FormTextRow": {
            "type": "object",
            "description": "A field for a line of text, an e-mail address, an address on the web or a number.",
            "required": ["id", "type", "label", "required", "value", "input", "change"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "textField"},
              "label": {"type": "string"},
              "required": {
                "type": "boolean",
                "description": "Whether a value must be given; the value `false` of a switch is none."
              },
              "value": {"type": "string"},
              "input": {"$ref": "#/components/schemas/FormInputType"},
              "change": {"$ref": "#/components/schemas/FormChange"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "name",
                "type": "textField",
                "label": "Name",
                "required": true,
                "value": "",
                "input": {"type": "text", "placeholder": "First and last name", "maxLength": 80},
                "change": {"argument": "value", "command": {"type": "didChange", "row": "name"}}
              }
            ]
          },
          "FormPhoneRow": {
            "type": "object",
            "description": "A field for a phone number. A right one comes back as E.164 has it.",
            "required": ["id", "type", "label", "required", "value", "input", "change"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "phoneField"},
              "label": {"type": "string"},
              "required": {
                "type": "boolean",
                "description": "Whether a value must be given; the value `false` of a switch is none."
              },
              "value": {"type": "string"},
              "input": {"$ref": "#/components/schemas/FormInputType"},
              "change": {"$ref": "#/components/schemas/FormChange"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "phone",
                "type": "phoneField",
                "label": "Phone",
                "required": false,
                "value": "+4930901820",
                "input": {"type": "tel", "placeholder": "030 901820"},
                "change": {"argument": "value", "command": {"type": "didChange", "row": "phone"}}
              }
            ]
          },
          "FormDateRow": {
            "type": "object",
            "description": "A field for a calendar date, as ISO 8601 has it.",
            "required": ["id", "type", "label", "required", "value", "input", "change"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "dateField"},
              "label": {"type": "string"},
              "required": {
                "type": "boolean",
                "description": "Whether a value must be given; the value `false` of a switch is none."
              },
              "value": {"type": "string"},
              "input": {"$ref": "#/components/schemas/FormInputType"},
              "change": {"$ref": "#/components/schemas/FormChange"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "born",
                "type": "dateField",
                "label": "Date of birth",
                "required": true,
                "value": "1990-02-28",
                "input": {"type": "date", "min": "1900-01-01", "max": "2008-12-31"},
                "change": {"argument": "value", "command": {"type": "didChange", "row": "born"}}
              }
            ]
          },
          "FormDropdownRow": {
            "type": "object",
            "description": "A choice of one of a few options; null where none is chosen.",
            "required": ["id", "type", "label", "required", "value", "input", "change"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "dropdownField"},
              "label": {"type": "string"},
              "required": {
                "type": "boolean",
                "description": "Whether a value must be given; the value `false` of a switch is none."
              },
              "value": {"type": ["string", "null"]},
              "input": {"$ref": "#/components/schemas/FormInputType"},
              "change": {"$ref": "#/components/schemas/FormChange"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "size",
                "type": "dropdownField",
                "label": "Share",
                "required": true,
                "value": "full",
                "input": {
                  "type": "select",
                  "options": [{"id": "half", "title": "Half a share"}, {"id": "full", "title": "A full share"}]
                },
                "change": {"argument": "value", "command": {"type": "didChange", "row": "size"}}
              }
            ]
          },
          "FormSwitchRow": {
            "type": "object",
            "description": "A switch.",
            "required": ["id", "type", "label", "required", "value", "input", "change"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "switchField"},
              "label": {"type": "string"},
              "required": {
                "type": "boolean",
                "description": "Whether a value must be given; the value `false` of a switch is none."
              },
              "value": {"type": "boolean"},
              "input": {"$ref": "#/components/schemas/FormInputType"},
              "change": {"$ref": "#/components/schemas/FormChange"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "isFirm",
                "type": "switchField",
                "label": "A firm pays for me",
                "required": false,
                "value": true,
                "input": {"type": "checkbox"},
                "change": {"argument": "value", "command": {"type": "didChange", "row": "isFirm"}}
              }
            ]
          },
          "FormTaxNumberRow": {
            "type": "object",
            "description": "A field for a German tax number (Umsatzsteuer-Identifikationsnummer): `DE` and nine digits, the last one the check digit of ISO/IEC 7064 MOD 11,10. A right one is looked up, and what is found stands right behind the field: a `contentLoading`, then a `company` for each firm that has it, a `contentEmpty` or a `contentError`. Another number replaces these rows; without a right one there are none. A `default` is not looked up before somebody enters it: reading a form starts nothing. The firms are those that had the number when it was looked up, whatever is written to `/v1/companies` since. What is looked up goes on while the field is hidden, but does not count in `states` then.",
            "required": ["id", "type", "label", "required", "value", "input", "change"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "taxNumberField"},
              "label": {"type": "string"},
              "required": {
                "type": "boolean",
                "description": "Whether a value must be given; the value `false` of a switch is none."
              },
              "value": {"type": "string"},
              "input": {"$ref": "#/components/schemas/FormInputType"},
              "change": {"$ref": "#/components/schemas/FormChange"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "taxNumber",
                "type": "taxNumberField",
                "label": "Tax number",
                "required": true,
                "value": "DE136695976",
                "input": {"type": "text", "placeholder": "DE…"},
                "change": {"argument": "value", "command": {"type": "didChange", "row": "taxNumber"}}
              }
            ]
          },
          "FieldErrorRow": {
            "type": "object",
            "description": "What is wrong with a value; right behind the field, whose id is in `field`. The `text` is the form's own where it has one.",
            "required": ["id", "type", "field", "code", "text"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "fieldError"},
              "field": {"type": "string"},
              "code": {
                "enum": [
                  "required",
                  "too-short",
                  "too-long",
                  "too-small",
                  "too-large",
                  "invalid-email",
                  "invalid-url",
                  "invalid-number",
                  "wrong-characters",
                  "invalid-phone",
                  "invalid-date",
                  "too-early",
                  "too-late",
                  "invalid-tax-number",
                  "wrong-check-digit"
                ]
              },
              "text": {"type": "string", "description": "For people."},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "email/error",
                "type": "fieldError",
                "field": "email",
                "code": "invalid-email",
                "text": "That is not an e-mail address."
              }
            ]
          },
          "CompanyRow": {
            "type": "object",
            "description": "A firm that was found for a tax number. Its action enters its name and city into other fields, where the form has such.",
            "required": ["id", "type", "name", "city", "taxNumber"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "company"},
              "name": {"type": "string"},
              "city": {"type": "string"},
              "taxNumber": {"type": "string"},
              "action": {"$ref": "#/components/schemas/Action"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "taxNumber/company/1",
                "type": "company",
                "name": "Kornblume Mühle GmbH",
                "city": "Jena",
                "taxNumber": "DE136695976",
                "action": {"title": "Use", "command": {"type": "didSelect", "row": "taxNumber/company/1"}}
              }
            ]
          },
          "FormGroupRow": {
            "type": "object",
            "description": "A row that folds away those beneath it. While it is collapsed none of them is there, however deep; each group among them remembers whether it is collapsed itself.",
            "required": ["id", "type", "text", "isCollapsed", "action"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "formGroup"},
              "text": {"type": "string"},
              "isCollapsed": {"type": "boolean"},
              "action": {"$ref": "#/components/schemas/Action"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "tools",
                "type": "formGroup",
                "text": "Tools",
                "isCollapsed": true,
                "action": {"title": "Expand", "command": {"type": "didSelect", "row": "tools"}}
              }
            ]
          },
          "FormButtonRow": {
            "type": "object",
            "description": "A button that sends the form or starts over.",
            "required": ["id", "type", "text", "action"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "formButton"},
              "text": {"type": "string"},
              "action": {"$ref": "#/components/schemas/Action"},
              "depth": {"$ref": "#/components/schemas/FormDepth"}
            },
            "examples": [
              {
                "id": "send",
                "type": "formButton",
                "text": "Join",
                "action": {"title": "Join", "command": {"type": "didTap", "row": "send"}}
              }
            ]
          },
          "FormNoticeRow": {
            "type": "object",
            "description": "The form was sent.",
            "required": ["id", "type", "text", "action"],
            "properties": {
              "id": {"const": "submission/sent"},
              "type": {"const": "formNotice"},
              "text": {"type": "string"},
              "action": {"$ref": "#/components/schemas/Action"}
            },
            "examples": [
              {
                "id": "submission/sent",
                "type": "formNotice",
                "text": "Sent. Thank you!",
                "action": {"title": "Start over", "command": {"type": "reset"}}
              }
            ]
          },
          "ActivityEntryRow": {
            "type": "object",
            "description": "Something that has happened with a form; its id is `entry/` and that of the entry.",
            "required": ["id", "type", "text", "date"],
            "properties": {
              "id": {"type": "string"},
              "type": {"const": "activityEntry"},
              "text": {"type": "string"},
              "date": {"$ref": "#/components/schemas/Date"}
            },
            "examples": [
              {
                "id": "entry/57",
                "type": "activityEntry",
                "text": "Milena Okafor joined",
                "date": "2026-03-02T08:15:00Z"
              }
            ]
          },
          "FormRow": {
            "type": "object",
            "description": "A row of a form as it is described. Which members it has beside `id`, `kind`, `weight` and `visibility` depends on its `kind`; the schema of the command `apply` of the screen, in `GET /v1/view-models`, has them kind by kind.\n\n| kind | what it is |\n|---|---|\n| `header` | a line of `text` |\n| `text` | a line of text, of `minLength` to `maxLength` characters, only `letters`, `digits` or `lettersAndDigits` where `characters` says so; with an `inputType` an e-mail address, an address on the web or a number from `min` to `max` |\n| `phone` | a phone number of `minDigits` to `maxDigits` digits, laid out as E.164 has it; one that begins with 0 gets the `countryCode` |\n| `date` | a calendar date from `min` to `max` |\n| `dropdown` | one of the `options` |\n| `switch` | on or off; one that is `required` must be on |\n| `taxNumber` | a tax number that is looked up; a firm that is found and chosen is entered into the rows that `fills` names |\n| `button` | does `submit` or `reset` |\n| `group` | folds the `rows` beneath it, `collapsed` at first or not |\n\nA row that is `hidden` for good, itself or with the group around it, is sent with the answers where it has a value, such as a `default`, as HTML's hidden inputs are; one that is hidden only while another row has some value is not.\n\nAll that are filled in have a `label`, and may have a `placeholder`, `required`, a `default` and an `errorText`, said of any wrong value in place of the field's own words. A pattern of one's own is not offered: a rule has a name, so that none can keep the server busy.",
            "required": ["id", "kind"],
            "properties": {
              "id": {
                "description": "Unique among the rows of the form, and the id of the row that is shown. `form`, `submission`, `activity` and `entry` are the screen's own.",
                "allOf": [{"$ref": "#/components/schemas/ResourceID"}]
              },
              "kind": {
                "enum": ["header", "text", "phone", "date", "dropdown", "switch", "taxNumber", "button", "group"]
              },
              "weight": {
                "type": "integer",
                "minimum": -1000000,
                "maximum": 1000000,
                "description": "Rows stand in the order of their weights; 0 where absent."
              },
              "visibility": {
                "description": "Always (the default), never, or only while another row is shown and has this value, which must be one that it can have.",
                "oneOf": [
                  {"enum": ["visible", "hidden"]},
                  {
                    "type": "object",
                    "required": ["row", "equals"],
                    "properties": {
                      "row": {"$ref": "#/components/schemas/ResourceID"},
                      "equals": {"type": ["boolean", "string"]}
                    },
                    "additionalProperties": false
                  }
                ]
              },
              "text": {"type": "string"},
              "label": {"type": "string"},
              "placeholder": {"type": "string"},
              "required": {"type": "boolean"},
              "errorText": {"type": "string"},
              "default": {"type": ["string", "boolean"]},
              "inputType": {"enum": ["text", "email", "url", "number"]},
              "characters": {"enum": ["letters", "digits", "lettersAndDigits"]},
              "minLength": {"type": "integer"},
              "maxLength": {"type": "integer"},
              "min": {"type": ["number", "string"]},
              "max": {"type": ["number", "string"]},
              "countryCode": {"type": "string"},
              "minDigits": {"type": "integer"},
              "maxDigits": {"type": "integer"},
              "options": {"type": "array", "items": {"$ref": "#/components/schemas/FormOption"}},
              "fills": {
                "type": "object",
                "properties": {
                  "name": {"$ref": "#/components/schemas/ResourceID"},
                  "city": {"$ref": "#/components/schemas/ResourceID"}
                },
                "additionalProperties": false,
                "description": "Other rows, into which a text can be entered."
              },
              "does": {"enum": ["submit", "reset"]},
              "collapsed": {"type": "boolean"},
              "rows": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/FormRow"},
                "description": "Those beneath a group; groups stand in at most 8 others."
              }
            },
            "additionalProperties": false,
            "examples": [
              {"id": "email", "kind": "text", "label": "E-mail", "required": true, "inputType": "email"}
            ]
          },
          "FormSection": {
            "type": "object",
            "description": "A section of a form.",
            "required": ["id"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ResourceID"},
              "title": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "1 to 1,000 bytes."},
              "rows": {"type": "array", "items": {"$ref": "#/components/schemas/FormRow"}}
            },
            "additionalProperties": false
          },
          "Form": {
            "type": "object",
            "description": "A form as it is described. What users enter is no part of it.",
            "required": ["id", "title", "sections"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ResourceID"},
              "title": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "1 to 1,000 bytes."},
              "sections": {"type": "array", "items": {"$ref": "#/components/schemas/FormSection"}}
            },
            "examples": [
              {
                "id": 2,
                "title": "Letter from the farm",
                "sections": [
                  {
                    "id": "letter",
                    "rows": [
                      {"id": "email", "kind": "text", "label": "E-mail", "required": true, "inputType": "email"},
                      {"id": "subscribe", "kind": "button", "text": "Subscribe", "does": "submit"}
                    ]
                  }
                ]
              }
            ]
          },
          "FormInput": {
            "type": "object",
            "description": "A form in a body.",
            "required": ["title"],
            "properties": {
              "id": {"anyOf": [{"$ref": "#/components/schemas/ResourceID"}, {"type": "null"}]},
              "title": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "1 to 1,000 bytes."},
              "sections": {"type": "array", "items": {"$ref": "#/components/schemas/FormSection"}}
            },
            "additionalProperties": false
          },
          "FormEntry": {
            "type": "object",
            "description": "Something that has happened with a form.",
            "required": ["id", "date", "text"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ResourceID"},
              "date": {"$ref": "#/components/schemas/Date"},
              "text": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "1 to 1,000 bytes."},
              "answers": {
                "type": "object",
                "description": "The values of the fields by their ids, where the form was sent."
              }
            },
            "examples": [
              {
                "id": 57,
                "date": "2026-03-02T08:15:00Z",
                "text": "Milena Okafor joined",
                "answers": {"email": "milena@example.org"}
              }
            ]
          },
          "FormEntryInput": {
            "type": "object",
            "description": "An entry in a body.",
            "required": ["date", "text"],
            "properties": {
              "id": {"anyOf": [{"$ref": "#/components/schemas/ResourceID"}, {"type": "null"}]},
              "date": {"$ref": "#/components/schemas/Date"},
              "text": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "1 to 1,000 bytes."},
              "answers": {
                "type": ["object", "null"],
                "description": "At most 1,048,576 bytes as canonical JSON."
              }
            },
            "additionalProperties": false
          },
          "Company": {
            "type": "object",
            "description": "A firm as the registry has it.",
            "required": ["id", "taxNumber", "name", "city"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ResourceID"},
              "taxNumber": {
                "type": "string",
                "pattern": "^DE[1-9][0-9]{8}$",
                "description": "As the field for a tax number lays it out."
              },
              "name": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "1 to 1,000 bytes."},
              "city": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "1 to 1,000 bytes."}
            },
            "examples": [{"id": 1, "taxNumber": "DE136695976", "name": "Kornblume Mühle GmbH", "city": "Jena"}]
          },
          "CompanyInput": {
            "type": "object",
            "description": "A company in a body.",
            "required": ["taxNumber", "name", "city"],
            "properties": {
              "id": {"anyOf": [{"$ref": "#/components/schemas/ResourceID"}, {"type": "null"}]},
              "taxNumber": {
                "type": "string",
                "minLength": 11,
                "pattern": "^[ .\\u00A0-]*[Dd][ .\\u00A0-]*[Ee][ .\\u00A0-]*[1-9]([ .\\u00A0-]*[0-9]){8}[ .\\u00A0-]*$",
                "description": "`DE` and nine digits, the last one a check digit (ISO/IEC 7064 MOD 11,10). Spaces, full stops and hyphens may stand anywhere, and letters may be small."
              },
              "name": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "1 to 1,000 bytes."},
              "city": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "1 to 1,000 bytes."}
            },
            "additionalProperties": false
          },
          "FormOperation": {
            "description": "What can be done to the rows of a form on its screen; the description of the form stays. A command `apply` carries up to 200 of them, which bring at most 200 rows, done in their order, whole or not at all, as at most one revision. Unknown ids, and ids that would not be unique, are refused; `pointer` leads to the member.\n\nLists stay in the order of their weights, whatever is done. Rows that are appended go behind all that are not heavier. Rows that are given a place must not name a weight: they take that of their neighbour, of the first or last row, or of the row whose place they take.",
            "oneOf": [
              {"$ref": "#/components/schemas/FormInsertBesideOperation"},
              {"$ref": "#/components/schemas/FormInsertAtStartOperation"},
              {"$ref": "#/components/schemas/FormInsertAtEndOperation"},
              {"$ref": "#/components/schemas/FormAppendOperation"},
              {"$ref": "#/components/schemas/FormReplaceOperation"},
              {"$ref": "#/components/schemas/FormSwapOperation"},
              {"$ref": "#/components/schemas/FormRemoveOperation"},
              {"$ref": "#/components/schemas/FormClearOperation"},
              {"$ref": "#/components/schemas/FormInsertSectionBesideOperation"},
              {"$ref": "#/components/schemas/FormRemoveSectionOperation"}
            ],
            "examples": [
              {
                "operation": "insertAfter",
                "row": "email",
                "rows": [{"id": "greeting", "kind": "text", "label": "Greeting"}]
              }
            ]
          },
          "FormInsertBesideOperation": {
            "type": "object",
            "description": "Beside another row, in its section or group.",
            "required": ["operation", "rows", "row"],
            "properties": {
              "operation": {"enum": ["insertBefore", "insertAfter"]},
              "rows": {"type": "array", "items": {"$ref": "#/components/schemas/FormRow"}},
              "row": {"$ref": "#/components/schemas/ResourceID"}
            },
            "additionalProperties": false
          },
          "FormInsertAtStartOperation": {
            "type": "object",
            "description": "At the start of a section, by default the first, or of a group.",
            "required": ["operation", "rows"],
            "properties": {
              "operation": {"const": "insertAtStart"},
              "rows": {"type": "array", "items": {"$ref": "#/components/schemas/FormRow"}},
              "section": {"$ref": "#/components/schemas/ResourceID"},
              "group": {"$ref": "#/components/schemas/ResourceID"}
            },
            "additionalProperties": false
          },
          "FormInsertAtEndOperation": {
            "type": "object",
            "description": "At the end of a section, by default the last, or of a group.",
            "required": ["operation", "rows"],
            "properties": {
              "operation": {"const": "insertAtEnd"},
              "rows": {"type": "array", "items": {"$ref": "#/components/schemas/FormRow"}},
              "section": {"$ref": "#/components/schemas/ResourceID"},
              "group": {"$ref": "#/components/schemas/ResourceID"}
            },
            "additionalProperties": false
          },
          "FormAppendOperation": {
            "type": "object",
            "description": "Where the weights of the rows want them, in a section, by default the last, or in a group.",
            "required": ["operation", "rows"],
            "properties": {
              "operation": {"const": "append"},
              "rows": {"type": "array", "items": {"$ref": "#/components/schemas/FormRow"}},
              "section": {"$ref": "#/components/schemas/ResourceID"},
              "group": {"$ref": "#/components/schemas/ResourceID"}
            },
            "additionalProperties": false
          },
          "FormReplaceOperation": {
            "type": "object",
            "description": "Puts a row in the place of another one. With the same id and kind it is the same row, changed: what was entered stays.",
            "required": ["operation", "row", "with"],
            "properties": {
              "operation": {"const": "replace"},
              "row": {"$ref": "#/components/schemas/ResourceID"},
              "with": {"$ref": "#/components/schemas/FormRow"}
            },
            "additionalProperties": false
          },
          "FormSwapOperation": {
            "type": "object",
            "description": "Exchanges the places and weights of two rows, with those beneath them.",
            "required": ["operation", "row", "other"],
            "properties": {
              "operation": {"const": "swap"},
              "row": {"$ref": "#/components/schemas/ResourceID"},
              "other": {"$ref": "#/components/schemas/ResourceID"}
            },
            "additionalProperties": false
          },
          "FormRemoveOperation": {
            "type": "object",
            "description": "Removes rows with those beneath them.",
            "required": ["operation", "ids"],
            "properties": {
              "operation": {"const": "remove"},
              "ids": {"type": "array", "items": {"$ref": "#/components/schemas/ResourceID"}}
            },
            "additionalProperties": false
          },
          "FormClearOperation": {
            "type": "object",
            "description": "Removes the rows of a section, of a group, or of all sections.",
            "required": ["operation"],
            "properties": {
              "operation": {"const": "clear"},
              "section": {"$ref": "#/components/schemas/ResourceID"},
              "group": {"$ref": "#/components/schemas/ResourceID"}
            },
            "additionalProperties": false
          },
          "FormInsertSectionBesideOperation": {
            "type": "object",
            "description": "Beside another section.",
            "required": ["operation", "newSection", "section"],
            "properties": {
              "operation": {"enum": ["insertSectionBefore", "insertSectionAfter"]},
              "newSection": {"$ref": "#/components/schemas/FormSection"},
              "section": {"$ref": "#/components/schemas/ResourceID"}
            },
            "additionalProperties": false
          },
          "FormRemoveSectionOperation": {
            "type": "object",
            "description": "Removes a section with its rows.",
            "required": ["operation", "section"],
            "properties": {
              "operation": {"const": "removeSection"},
              "section": {"$ref": "#/components/schemas/ResourceID"}
            },
            "additionalProperties": false
          },
          "FormDidChangeCommand": {
            "examples": [{"type": "didChange", "row": "phone", "value": "030 901820"}],
            "description": "Somebody entered a value. A text that is wrong or too long for the field is kept, with a `fieldError` behind it; only one of more than 8,000 bytes is refused, twice what can be right. An event of a row that is not shown, or that has no such event, is a 422."
          },
          "FormDidSelectCommand": {"examples": [{"type": "didSelect", "row": "tools"}]},
          "FormApplyCommand": {
            "properties": {
              "operations": {
                "description": null,
                "items": {"$ref": "#/components/schemas/FormOperation", "oneOf": null},
                "$defs": null
              }
            }
          },
          "StoreWriteCause": {"properties": {"source": {"enum": ["activity", "forms"]}}}
        }
      }
    }
    """#)
}
