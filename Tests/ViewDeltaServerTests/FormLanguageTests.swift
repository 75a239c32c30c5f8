import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewState

@Suite("The language of a server with forms")
struct FormLanguageTests {
  private typealias Server = LanguageEndpointTests

  @Test("is that of a form, whose rows say a firm's city and number, and days, in one text")
  func form() async throws {
    let backend = try Server.backend(.de)
    let form = "form/1@" + String(repeating: "a", count: 22)
    await Server.send(backend, form, ["type": "didChange", "row": "isFirm", "value": true])
    await Server.send(
      backend, form, ["type": "didChange", "row": "taxNumber", "value": "DE136695976"])
    await Server.send(backend, form, ["type": "loadActivity"])
    backend.scheduler.advance(by: .seconds(5))
    let rows = try await Server.rows(backend, form)
    let company = try #require(rows["taxNumber/company/1"])
    #expect(company["taxNumber"] == "DE136695976")
    guard case .string(let city) = company["city"] else { throw LawViolation("no city") }
    #expect(company["detail"] == .string("\(city) · DE136695976"))
    let entry = try #require(rows.first { $0.key.hasPrefix("entry/") }?.value)
    guard case .string(let date) = entry["date"], let moment = Timestamp(date.string) else {
      throw LawViolation("no date")
    }
    #expect(entry["dateText"] == .string(Language.de.date(moment)))
    #expect(rows["activity/header"]?["text"] == "Aktivität")
    #expect(rows["activity/header"]?["action"]?["title"] == "Neu laden")
    #expect(await backend.get("/v1/view-models/\(form)")["Content-Language"] == "de")
  }

  @Test("is that of the settings")
  func settings() async throws {
    for (language, link, since) in [
      (Language.en, "Privacy", "5 January 2026"), (.de, "Privatsphäre", "5. Januar 2026"),
    ] as [(Language, JSONValue, JSONValue)] {
      let rows = try await Server.rows(Server.backend(language), "settings/general")
      #expect(rows["toPrivacy"]?["text"] == link && rows["since"]?["text"] == since)
      #expect(rows["toPrivacy"]?["to"] == "settings/privacy")
    }
  }

  @Test("is that of the actions of a form's own rows, and of what is written about its submission")
  func formActions() async throws {
    for (language, group, header, sent) in [
      (Language.en, ["Collapse", "Expand"], "Clear", "F: sent"),
      (.de, ["Zuklappen", "Aufklappen"], "Leeren", "F: gesendet"),
    ] as [(Language, [JSONValue], JSONValue, JSONValue)] {
      let backend = try Server.backend(language)
      let sections: JSONValue = [
        [
          "id": "s", "title": "S",
          "rows": [
            ["id": "h", "kind": "sectionHeader", "label": "L"],
            ["id": "g", "kind": "group", "text": "G"],
          ],
        ]
      ]
      let form: JSONValue = ["id": 99, "title": "F", "sections": sections]
      #expect(await backend.call(.post, "/v1/forms", body: form).status == 201)
      for title in group {
        let rows = try await Server.rows(backend, "form/99")
        #expect(rows["g"]?["action"]?["title"] == title)
        #expect(rows["h"]?["action"]?["title"] == header)
        await Server.send(backend, "form/99", ["type": "didSelect", "row": "g"])
      }
      await Server.send(backend, "form/99", ["type": "submit"])
      backend.scheduler.advance(by: .seconds(5))
      let entries = try await backend.get("/v1/forms/99/entries").json.elements()
      #expect(try entries.map { try $0.member("text").value } == [sent])
    }
  }

  @Test("is that of what is wrong in a field, and that in which numbers are written")
  func fieldErrors() async throws {
    for (language, words, tooLarge, amount) in [
      (Language.en, "That is not an e-mail address.", "The number must be 1,000.5 or less.", 1.234),
      (
        .de, "Das ist keine E-Mail-Adresse.", "Die Zahl darf höchstens 1.000,5 sein.", nil
      ),
    ] as [(Language, JSONValue, JSONValue, Double?)] {
      let backend = try Server.backend(language)
      let rows: JSONValue = [
        ["id": "mail", "kind": "text", "label": "Mail", "inputType": "email"],
        [
          "id": "amount", "kind": "text", "label": "Amount", "inputType": "number", "max": 1000.5,
        ],
      ]
      let created = await backend.call(
        .post, "/v1/forms",
        body: ["id": 99, "title": "Amounts", "sections": [["id": "s", "rows": rows]]])
      #expect(created.status == 201)
      await Server.send(
        backend, "form/99", ["type": "didChange", "row": "mail", "value": "nobody"])
      await Server.send(
        backend, "form/99", ["type": "didChange", "row": "amount", "value": "2000"])
      let wrong = try await Server.rows(backend, "form/99")
      #expect(wrong["mail/error"]?["text"] == words)
      #expect(wrong["amount/error"]?["text"] == tooLarge)
      await Server.send(backend, "form/99", ["type": "didChange", "row": "mail", "value": ""])
      // 1.234 in English, and beyond the largest number in German.
      await Server.send(
        backend, "form/99", ["type": "didChange", "row": "amount", "value": "1.234"])
      await Server.send(backend, "form/99", ["type": "submit"])
      backend.scheduler.advance(by: .seconds(5))
      let entries = try await backend.get("/v1/forms/99/entries").json.elements()
      #expect(
        try entries.map { try $0.member("answers").member("amount").value }
          == (amount.map { [.number($0)] } ?? []))
      // Written so that both languages read the same.
      await Server.send(backend, "form/99", ["type": "didChange", "row": "amount", "value": "3,5"])
      await Server.send(backend, "form/99", ["type": "submit"])
      backend.scheduler.advance(by: .seconds(5))
      let last = try await backend.get("/v1/forms/99/entries").json.elements().first
      #expect(try last?.member("answers").member("amount").value == 3.5)
    }
  }

  @Test("is not that of the numbers in the description of a form, which are English")
  func describedNumbers() async throws {
    for language in Language.allCases {
      let backend = try Server.backend(language)
      let amount: JSONValue = [
        "id": "amount", "kind": "text", "label": "Amount", "inputType": "number",
        "default": "1.234",
      ]
      let form: JSONValue = [
        "id": 99, "title": "Amounts", "sections": [["id": "s", "rows": [amount]]],
      ]
      #expect(await backend.call(.post, "/v1/forms", body: form).status == 201)
      let row = try await Server.rows(backend, "form/99")["amount"]
      #expect(row?["value"] == (language == .de ? "1,234" : "1.234"))
      await Server.send(backend, "form/99", ["type": "submit"])
      backend.scheduler.advance(by: .seconds(5))
      let sent = try await backend.get("/v1/forms/99/entries").json.elements()
      #expect(try sent.map { try $0.member("answers").member("amount").value } == [1.234])
      #expect(try await backend.get("/v1/forms/99").json.value == form)
    }
  }
}
