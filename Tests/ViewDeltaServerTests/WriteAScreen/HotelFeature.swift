import ViewDelta

/// A day of the calendar, without a time.
struct Day: RawRepresentable, Codable, Hashable, Comparable, FieldValue {
  /// The first moment of the day in UTC, for `Language.date(_:)`.
  let start: Timestamp

  init?(rawValue: String) {
    guard rawValue.utf8.count == 10, let start = Timestamp(rawValue) else { return nil }
    self.start = start
  }

  var rawValue: String { String(start.description.prefix(10)) }

  static let valueType = String.valueType.map(
    "expected a day such as 2026-11-27", read: Day.init(rawValue:), write: \.rawValue
  ).described("A day, such as `2026-11-27`.")

  static func < (left: Day, right: Day) -> Bool { left.start < right.start }
}

struct Room: Resource {
  let id: ResourceID
  var name: Text = ""

  init(id: ResourceID) { self.id = id }

  static let fields = [Field("name", \Room.name, .text(1...80))]
}

struct Booking: Resource {
  let id: ResourceID
  var room: ResourceID = 0
  var from = Day(rawValue: "2000-01-01")!
  var until = Day(rawValue: "2000-01-01")!

  init(id: ResourceID) { self.id = id }

  static let fields = [
    Field("room", \Booking.room), Field("from", \.from), Field("until", \.until),
  ]
}

extension Booking {
  /// The next guest may come on the day on which the last one leaves.
  func check(among all: KeyedSequence<Booking>) throws {
    guard from < until else { throw JSONShapeError(["until"], "expected a day after `from`") }
    let other = all.first {
      $0.id != id && $0.room == room && $0.from < until && from < $0.until
    }
    if let other {
      throw JSONShapeError(["from"], "the room is booked until \(other.until.rawValue)")
    }
  }
}

struct BookingForm: Screen {
  struct State: ScreenState, FormState {
    var fields = FormFields<Kinds>(BookingForm.outline(in: .en))
    var answers: [Text: JSONValue]?
    var booking: Booking?
  }

  enum Kinds: FormKindSet {
    static let kinds = FormKinds.standard.refusing("booked").reserving("end")
  }

  static let name: Text = "book"
  static let summary = "A form that books a room."
  static let isPersonal = true

  let rooms: Store<ResourceCollection<Room>>
  let bookings: Store<ResourceCollection<Booking>>
  let language: Language?

  static func outline(in language: Language) -> FormOutline {
    func text(_ en: Text, _ de: Text) -> JSONValue { .string(Localized(en: en, de: de)[language]) }
    return Kinds.kinds.outline([
      [
        "id": "stay", "title": text("Your stay", "Ihr Aufenthalt"),
        "rows": [
          [
            "id": "room", "kind": "dropdown", "required": true, "label": text("Room", "Zimmer"),
            "placeholder": text("Choose a room", "Zimmer wählen"),
          ],
          ["id": "from", "kind": "date", "required": true, "label": text("From", "Von")],
          ["id": "until", "kind": "date", "required": true, "label": text("Until", "Bis")],
          ["id": "send", "kind": "button", "text": text("Book", "Buchen"), "does": "submit"],
        ],
      ]
    ])
  }

  var shownStores: [ShownStore] { [.whole(of: rooms)] }

  func initialState(for key: Text, in stores: Stores) -> State {
    let language = language ?? .en
    var state = State(fields: FormFields(Self.outline(in: language), language: language))
    follow(stores, on: &state, for: key)
    return state
  }

  func follow(_ stores: Stores, on state: inout State, for key: Text) {
    let options = stores[rooms].elements.map { (id: $0.id.text, title: $0.name) }
    state.fields.setOptions(options, of: "room")
  }

  static let booked = FieldError(
    "booked", en: "The room is booked on these days.",
    de: "Das Zimmer ist an diesen Tagen vergeben.")

  var commands: [AnyCommand<State>] {
    State.changeCommand
    State.selectCommand
    State.tapCommand.writing { (state: inout State, transaction: inout Transaction, row) in
      try state.didTap(row, as: transaction.inputID)
      guard let answers = state.answers.take() else { return }
      do {
        state.booking = try transaction.write(.create(.object(answers)), to: bookings).resource
        state.startOver()
      } catch StoreError.malformed {
        state.fields.refuse("from", Self.booked)
      }
    }
  }

  static let end = RowType(text: "booked", "The room was booked.")

  var rowTypes: [RowTypeDescriptor] {
    State.formRowTypes
    Self.end
  }

  func body(_ state: State) -> [ListSection] {
    state.formSections
    ListSection("end") {
      if let booking = state.booking {
        let language = state.fields.language
        let from = language.date(booking.from.start)
        Self.end(
          "end/booked", Localized(en: "Booked from \(from).", de: "Gebucht ab \(from).")[language])
      }
    }
  }
}

extension BookingForm.State {
  mutating func submit(as id: Text) {
    // What was in the way may be gone.
    fields.refuse("from", nil)
    answers = fields.judge()
  }

  /// The days are refused for one room, so another value may be right.
  mutating func entered(_ value: JSONValue, into row: FormRow, isNew: Bool) {
    guard isNew else { return }
    fields.refuse("from", nil)
    booking = nil
  }
}

struct HotelFeature: Feature {
  func register(in application: inout ApplicationBuilder) throws {
    let rooms = Store("rooms", ResourceCollection<Room>("room"), in: application.engine)
    let bookings = Store("bookings", ResourceCollection<Booking>("booking"), in: application.engine)
    application.add(collection: rooms, at: "/v1/rooms")
    application.add(collection: bookings, at: "/v1/bookings")
    application.add(
      BookingForm(rooms: rooms, bookings: bookings, language: application.language()),
      keys: .only(["new"]))
  }
}
