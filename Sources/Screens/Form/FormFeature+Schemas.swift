import CanonicalJSON

extension FormFeature {
  /// The schemas of the screen and of forms for the OpenAPI document.
  static let schemas = DemoData.value(
    #"""
    {
      "tags": [
        {
          "name": "Forms",
          "description": "The store behind the screens `form`: the descriptions of forms, the activity of each form, and a registry of firms by tax numbers. The values that users enter are not part of a form: commands send them to the screen, and a form that is submitted becomes an entry of its activity.\n\nThe screen `form` has a section `form` with a `formTitle`; the sections of the form with their own ids, in which the row for the field `phone` has the id `phone`, and is followed by its own rows, whose ids begin with `phone/`; a section `submission` with at most one row, for the state of the submission; and a section `activity`: a `contentHeader`, an `activityEntry` for each entry that is loaded, the newest first, and then a `pageProgress` (a page is loading, or there are more), a `pageEnd`, a `contentEmpty` or a `contentError`.\n\nA row that can be edited has `input`, `value` and `change`: show it by the type of its `input`, and to enter a value send the `change.command` with the new value as the member that `change.argument` names. The value of a `checkbox` is a boolean, that of a `select` the id of an option or null, and all others are texts. A correct value comes back formatted; a wrong one comes back as it was entered, followed by a `fieldError`. `depth` is the number of groups around a row; it is absent if there are none."
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
            "description": "The last row of a long list that has more: a page is loading, which the action cancels, or the action loads the next page.",
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
            "description": "The number of groups around the row; absent if there are none."
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
            "description": "A choice of one of a few options; null if none is chosen.",
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
            "description": "A field for a German tax number (Umsatzsteuer-Identifikationsnummer): `DE` and nine digits, the last one the check digit of ISO/IEC 7064 MOD 11,10. A valid number is looked up, and the result follows the field: a `contentLoading`, then a `company` for each firm with the number, a `contentEmpty` or a `contentError`. Another number replaces these rows; without a valid one there are none. A `default` is looked up only after a user has entered it: reading a form starts nothing. The firms are those that had the number when it was looked up; later writes to `/v1/companies` do not change them. A look-up continues while the field is hidden, but does not count in `states` then.",
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
            "description": "The error of a value, directly after its field, whose id is in `field`. The `text` is that of the form if it has one.",
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
            "description": "A firm that was found for a tax number. Its action enters its name and city into other fields, if the form has such fields.",
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
            "description": "The description of a row of a form. Its members beside `id`, `kind`, `weight` and `visibility` depend on its `kind`; the schema of the command `apply` of the screen, in `GET /v1/view-models`, lists them for each kind.\n\n| kind | row |\n|---|---|\n| `header` | a line of `text` |\n| `text` | a line of text, of `minLength` to `maxLength` characters, only `letters`, `digits` or `lettersAndDigits` if `characters` says so; with an `inputType` an e-mail address, an address on the web or a number from `min` to `max` |\n| `phone` | a phone number of `minDigits` to `maxDigits` digits, formatted as in E.164; one that begins with 0 gets the `countryCode` |\n| `date` | a calendar date from `min` to `max` |\n| `dropdown` | one of the `options` |\n| `switch` | on or off; one that is `required` must be on |\n| `taxNumber` | a tax number that is looked up; a firm that is found and chosen is entered into the rows that `fills` names |\n| `button` | does `submit` or `reset` |\n| `group` | folds the `rows` beneath it, `collapsed` at first or not |\n\nA row that is always `hidden`, itself or with the group around it, is submitted with the answers if it has a value, such as a `default`, like the hidden inputs of HTML; a row that is hidden only while another row has some value is not.\n\nAll fields that take a value have a `label`, and may have a `placeholder`, `required`, a `default` and an `errorText`, which replaces the error text of the field for any wrong value. Rules have names; there are no patterns, because a pattern could keep the server busy.",
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
                "description": "Rows are in the order of their weights; 0 if absent."
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
                "description": "The rows of a group; groups are nested at most 8 levels deep."
              }
            },
            "additionalProperties": false,
            "examples": [
              {"id": "email", "kind": "text", "label": "E-mail", "required": true, "inputType": "email"}
            ]
          },
          "FormDidChangeCommand": {
            "examples": [{"type": "didChange", "row": "phone", "value": "030 901820"}],
            "description": "Enters a value. A text that is wrong or too long for the field is kept, followed by a `fieldError`; only a text of more than 8,000 bytes is refused, which is twice the largest valid size. An event of a row that is not shown, or that has no such event, is a 422."
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
