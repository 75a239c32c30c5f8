import CMicroHTTPD
import Glibc
import Logging

/// The functions that libmicrohttpd calls. Each finds the Swift object behind a context pointer and
/// calls it.
///
/// The context of all callbacks is the ``DaemonEngine``. The daemon retains it until it has stopped, so
/// taking it unretained is safe. The callbacks of a request do not even retain it for the duration
/// of the call: each retain and release of an object that several threads share costs as much as a
/// table look-up.
enum Callbacks {
  /// `MHD_AccessHandlerCallback`: called for the head, for each piece of the body, and until there
  /// is a reply.
  static let access: MHD_AccessHandlerCallback = {
    context, _, _, method, version, upload, size, slot in
    guard let context, let size, let exchange = slot?.pointee else { return .NO }
    return Unmanaged<DaemonEngine>.fromOpaque(context)._withUnsafeGuaranteedRef { engine in
      // The slot owns the reference that `target` stored there, until `completed` removes it.
      Unmanaged<Exchange>.fromOpaque(exchange)._withUnsafeGuaranteedRef { exchange in
        engine.handle(
          exchange, method: method, version: version,
          upload: ConnectionFields.bytes(upload, size.pointee), remaining: size)
      }
    }
  }

  /// The callback of `MHD_OPTION_URI_LOG_CALLBACK`: creates the exchange, which libmicrohttpd
  /// stores in the request's slot. No other callback gets the target as the client sent it.
  static let target:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
      UnsafeMutableRawPointer? = { context, target, connection in
        guard let context, let connection, let record = viewdelta_socket_context(connection) else {
          return nil
        }
        let bytes = ConnectionFields.bytes(target, target.map { strlen($0) } ?? 0)
        return Unmanaged<DaemonEngine>.fromOpaque(context)._withUnsafeGuaranteedRef { engine in
          // The connection owns a reference from its opening to its close.
          Unmanaged<ConnectionRecord>.fromOpaque(record)._withUnsafeGuaranteedRef { record in
            let exchange = engine.received(target: bytes, connection: connection, record: record)
            ConnectionFields.suppressLists(of: connection, target: target)
            return Unmanaged.passRetained(exchange).toOpaque()
          }
        }
      }

  /// `MHD_RequestCompletedCallback`: called once for each exchange, and the only callback that
  /// releases it.
  static let completed: MHD_RequestCompletedCallback = { context, _, slot, code in
    guard let context, let slot, let exchange = slot.pointee else { return }
    slot.pointee = nil
    var owned = Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue()
    Unmanaged<DaemonEngine>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.completed(owned, withError: code == .REQUEST_TERMINATED_WITH_ERROR)
    }
    // A handler that keeps the request must not read libmicrohttpd's memory after this.
    if !isKnownUniquelyReferenced(&owned) { owned.detach() }
  }

  /// `MHD_NotifyConnectionCallback`: the connection owns one reference to its record.
  static let connection: MHD_NotifyConnectionCallback = { context, connection, slot, code in
    guard let context, let connection, let slot else { return }
    let engine = Unmanaged<DaemonEngine>.fromOpaque(context).takeUnretainedValue()
    switch code {
    case .CONNECTION_NOTIFY_STARTED:
      slot.pointee = Unmanaged.passRetained(engine.opened(connection)).toOpaque()
    case .CONNECTION_NOTIFY_CLOSED:
      guard let record = slot.pointee else { return }
      slot.pointee = nil
      engine.closed(Unmanaged<ConnectionRecord>.fromOpaque(record).takeRetainedValue())
    }
  }

  /// The callback of `MHD_OPTION_UNESCAPE_CALLBACK`: returns the text unchanged, because the
  /// default would truncate a target at its first `%00`.
  static let unescape:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
    ) -> Int = { _, _, text in text.map { strlen($0) } ?? 0 }

  /// `MHD_LogCallback`. The level is debug, because nearly all messages report the behaviour of
  /// clients.
  static let log: MHD_LogCallback = { context, format, arguments in
    guard let context, let format, let arguments else { return }
    let engine = Unmanaged<DaemonEngine>.fromOpaque(context).takeUnretainedValue()
    guard engine.logsDetails else { return }
    let message = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      let count = viewdelta_format(buffer.baseAddress, buffer.count, format, arguments)
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let text = message.last == "\n" ? String(message.dropLast()) : message
    // Some have the path of a request.
    engine.logger.debug("libmicrohttpd: \(text.withoutSession)")
  }

  /// `MHD_PanicCallback`: logs the broken invariant and ends the process, as the default does. If
  /// the process continued, one client could get the reply of another.
  static let panic: MHD_PanicCallback = { _, file, line, reason in
    let file = file.map { String(cString: $0) } ?? "?"
    let reason = reason.map { String(cString: $0) } ?? "?"
    Logger(label: "libmicrohttpd").critical("\(file):\(line): \(reason)")
    abort()
  }
}
