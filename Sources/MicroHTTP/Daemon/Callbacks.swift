import CMicroHTTPD
import Glibc
import Logging

/// The functions that libmicrohttpd calls. Each does one thing: it finds the Swift object behind a
/// context pointer and calls it.
///
/// The context of all of them is the ``Engine``, which the daemon holds until it has stopped; taking it
/// unretained is therefore safe. Where a request passes, it is not even retained for the time of the
/// call: each pair of these counts on an object that several threads use costs as much as a look-up.
enum Callbacks {
  /// `MHD_AccessHandlerCallback`.
  static let access: MHD_AccessHandlerCallback = {
    context, _, _, method, version, upload, size, slot in
    guard let context, let size, let exchange = slot?.pointee else { return .NO }
    return Unmanaged<Engine>.fromOpaque(context)._withUnsafeGuaranteedRef { engine in
      // The slot holds the reference that `target` put there, until `completed` takes it out.
      Unmanaged<Exchange>.fromOpaque(exchange)._withUnsafeGuaranteedRef { exchange in
        engine.handle(
          exchange, method: method, version: version,
          upload: ConnectionFields.bytes(upload, size.pointee), remaining: size)
      }
    }
  }

  /// The callback of `MHD_OPTION_URI_LOG_CALLBACK`: makes the exchange, which libmicrohttpd keeps in
  /// the request's slot. It is the only place where the target is still as the client sent it.
  static let target:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
      UnsafeMutableRawPointer? = { context, target, connection in
        guard let context, let connection, let record = viewdelta_socket_context(connection) else {
          return nil
        }
        let bytes = ConnectionFields.bytes(target, target.map { strlen($0) } ?? 0)
        return Unmanaged<Engine>.fromOpaque(context)._withUnsafeGuaranteedRef { engine in
          // The connection holds a reference from its opening to its close.
          let record = Unmanaged<ConnectionRecord>.fromOpaque(record).takeUnretainedValue()
          let exchange = engine.received(target: bytes, connection: connection, record: record)
          ConnectionFields.forgoLists(of: connection, target: target)
          return Unmanaged.passRetained(exchange).toOpaque()
        }
      }

  /// `MHD_RequestCompletedCallback`: called once for each exchange that was made, and the only place
  /// that releases it.
  static let completed: MHD_RequestCompletedCallback = { context, _, slot, code in
    guard let context, let slot, let exchange = slot.pointee else { return }
    slot.pointee = nil
    var owned = Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue()
    Unmanaged<Engine>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.completed(owned, withError: code == .REQUEST_TERMINATED_WITH_ERROR)
    }
    // A handler that kept the request must not read libmicrohttpd's memory from now on.
    if !isKnownUniquelyReferenced(&owned) { owned.detach() }
  }

  /// `MHD_AcceptPolicyCallback`: a connection that is refused is closed at once.
  static let policy: MHD_AcceptPolicyCallback = { context, address, _ in
    guard let context else { return .NO }
    return Unmanaged<Engine>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.admits(address) ? .YES : .NO
    }
  }

  /// `MHD_NotifyConnectionCallback`: the connection holds one reference to its record.
  static let connection: MHD_NotifyConnectionCallback = { context, connection, slot, code in
    guard let context, let connection, let slot else { return }
    let engine = Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
    switch code {
    case .CONNECTION_NOTIFY_STARTED:
      slot.pointee = Unmanaged.passRetained(engine.opened(connection)).toOpaque()
    case .CONNECTION_NOTIFY_CLOSED:
      guard let record = slot.pointee else { return }
      slot.pointee = nil
      engine.closed(Unmanaged<ConnectionRecord>.fromOpaque(record).takeRetainedValue())
    }
  }

  /// The callback of `MHD_OPTION_UNESCAPE_CALLBACK`: leaves everything as it is, because the library
  /// would cut a target at its first `%00`.
  static let unescape:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
    ) -> Int = { _, _, text in text.map { strlen($0) } ?? 0 }

  /// `MHD_LogCallback`. Nearly all messages are about what peers did, hence the level.
  static let log: MHD_LogCallback = { context, format, arguments in
    guard let context, let format, let arguments else { return }
    let engine = Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
    guard engine.logger.logLevel <= .debug else { return }
    let message = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      let count = viewdelta_format(buffer.baseAddress, buffer.count, format, arguments)
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let text = message.last == "\n" ? String(message.dropLast()) : message
    engine.logger.debug("libmicrohttpd: \(text)")
  }

  /// `MHD_PanicCallback`: an invariant of the library is broken, so that going on could answer one
  /// client with another one's reply. It says why, and ends the process as the default would.
  static let panic: MHD_PanicCallback = { _, file, line, reason in
    let file = file.map { String(cString: $0) } ?? "?"
    let reason = reason.map { String(cString: $0) } ?? "?"
    Logger(label: "libmicrohttpd").critical("\(file):\(line): \(reason)")
    abort()
  }
}
