public import CanonicalJSON
public import Forms
import Snapshots
public import ViewDeltaServer
public import ViewState

/// The screens of the settings of a person.
public struct SettingsFeature: Feature {
  /// The keys of the pages with their rows.
  public var pages: [(key: Text, outline: FormOutline)]
  /// The language of the texts that are not those of the pages, unless the server is started with another one.
  public var language: Language

  /// Configures the feature.
  public init(pages: [(key: Text, outline: FormOutline)] = demo, language: Language = .en) {
    self.pages = pages
    self.language = language
  }

  public func register(in application: inout ApplicationBuilder) throws {
    let screen = SettingsScreen(pages: pages, language: application.language(usually: language))
    application.add(screen, keys: .only(pages.map(\.key)))
    for (_, outline) in pages {
      let state = SettingsScreen.State(fields: FormFields(outline))
      application.document(
        DemoDocument.examples(try screen.snapshot(of: state).sections.flatMap { Array($0.rows) }))
    }
  }

  /// The pages of the demo, in the order in which they are listed.
  public static let demo: [(key: Text, outline: FormOutline)] = [
    ("general", FormKinds.standard.outline(general)),
    ("notifications", FormKinds.standard.outline(notifications)),
    ("privacy", FormKinds.standard.outline(privacy)),
  ]

  private static let general: JSONValue = [
    [
      "id": "account", "title": "Account",
      "rows": [
        [
          "id": "accountTitle", "kind": "sectionHeader", "label": "Title of this section",
          "placeholder": "No title",
        ],
        [
          "id": "picture", "kind": "avatar", "label": "Picture", "cap": 72,
          "default": "/favicon.svg", "placeholder": "https://…",
        ],
        [
          "id": "name", "kind": "text", "label": "Name", "required": true, "default": "Ada",
          "maxLength": 80,
        ],
        ["id": "since", "kind": "info", "label": "Member since", "text": "2026-01-05"],
      ],
    ],
    [
      "id": "farm", "title": "From the farm",
      "rows": [
        [
          "id": "letterOffer", "kind": "offer", "title": "What grows this week?",
          "text": "The letter from the farm tells you before you fetch your share.",
          "button": "Get the letter", "enters": ["row": "letter", "value": true],
        ],
        ["id": "letter", "kind": "switch", "label": "Letter from the farm"],
        [
          "id": "rhythm", "kind": "dropdown", "label": "How often", "default": "weekly",
          "visibility": ["row": "letter", "equals": true],
          "options": [
            ["id": "weekly", "title": "Every week"], ["id": "monthly", "title": "Every month"],
          ],
        ],
      ],
    ],
    [
      "id": "more",
      "rows": [
        [
          "id": "toNotifications", "kind": "link", "text": "Notifications",
          "detail": "When and where we reach you", "to": "settings/notifications",
        ],
        [
          "id": "toPrivacy", "kind": "link", "text": "Privacy",
          "detail": "What other members see", "to": "settings/privacy",
        ],
        ["id": "line", "kind": "splitter"],
        ["id": "startOver", "kind": "button", "text": "Start over", "does": "reset"],
      ],
    ],
  ]

  private static let notifications: JSONValue = [
    [
      "id": "push", "title": "On your phone",
      "rows": [
        ["id": "isOn", "kind": "switch", "label": "Tell me when my share is ready"],
        [
          "id": "phone", "kind": "phone", "label": "Phone", "required": true, "countryCode": "49",
          "visibility": ["row": "isOn", "equals": true],
        ],
        ["id": "quiet", "kind": "date", "label": "Leave me alone until"],
      ],
    ],
    [
      "id": "back",
      "rows": [["id": "toGeneral", "kind": "link", "text": "General", "to": "settings/general"]],
    ],
  ]

  private static let privacy: JSONValue = [
    [
      "id": "others", "title": "What other members see",
      "rows": [
        ["id": "showsName", "kind": "switch", "label": "My name", "default": true],
        ["id": "showsPicture", "kind": "switch", "label": "My picture"],
        ["id": "line", "kind": "splitter"],
        [
          "id": "address", "kind": "info", "label": "Your address",
          "text": "Only those see it who bring your share.",
        ],
      ],
    ],
    [
      "id": "back",
      "rows": [["id": "toGeneral", "kind": "link", "text": "General", "to": "settings/general"]],
    ],
  ]
}
