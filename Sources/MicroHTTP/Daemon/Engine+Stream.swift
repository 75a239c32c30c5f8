import CMicroHTTPD
import Glibc
import HTTPTypes
import Synchronization

extension Engine {
  /// Opens a stream, or answers for it.
  func stream(
    _ exchange: Exchange, version: UnsafePointer<CChar>?, _ fields: HTTPFields,
    _ open: (StreamSignal) -> any StreamSource
  ) -> MHD_Result {
    // libmicrohttpd would send the end of the chunks after HEAD, as content. A reply without content
    // stands for the stream; it also tells fields that are too large.
    if exchange.method == .head || !Response.accepts(fields) {
      return queue(Response(status: .ok, fields: fields), exchange)
    }
    if isDraining.load(ordering: .relaxed) { return refuse(exchange) }
    let stream = OpenStream(exchange, self, open)
    exchange.stream = stream
    exchange.stage = .answered
    watch(exchange.record, .replying(bytes: 0))
    exchange.record.parked = exchange
    return stream.queue(
      fields: fields, isChunked: version.map { strcmp($0, "HTTP/1.1") == 0 } ?? false)
  }
}
