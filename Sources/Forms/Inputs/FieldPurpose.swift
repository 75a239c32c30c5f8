import CanonicalJSON
import ViewState

/// What a field asks of users about themselves, by the names that HTML has for its attribute `autocomplete`.
///
/// A browser offers to fill in what it knows, and people who read with difficulty get a symbol for it (WCAG 2.2,
/// 1.3.5). An iOS client uses the `UITextContentType` of the same meaning.
enum FieldPurpose: Text, CaseIterable {
  case name
  case givenName = "given-name"
  case familyName = "family-name"
  case nickname
  case username
  case organization
  case jobTitle = "organization-title"
  case email
  case telephone = "tel"
  case website = "url"
  case birthday = "bday"
  case addressLine1 = "address-line1"
  case addressLine2 = "address-line2"
  case postalCode = "postal-code"
  case city = "address-level2"
  case region = "address-level1"
  case countryName = "country-name"

  static let valueType = ValueType<FieldPurpose>.choice().described(
    "The fact that is asked of users about themselves, by a name of HTML: a client offers the value that it knows."
  )
}
