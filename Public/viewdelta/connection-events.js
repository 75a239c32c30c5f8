/** The states of a connection, in the order of a successful start. */
export const connectionStates = Object.freeze(
  /** @type {const} */ ([
    "idle", // not open yet
    "loading", // loads the whole view model
    "connecting", // requests the event stream
    "listening", // reads the event stream
    "waiting", // a long poll is in progress
    "polling", // a short poll is in progress
    "resting", // between two short polls
    "backingOff", // failed; waits before the next attempt
    "offline", // the browser has no network; retries now and then nevertheless
    "suspended", // the page is hidden
    "gone", // the view model does not exist
    "closed", // closed permanently
  ]),
);

/** The events of a connection. */
export const connectionEvents = Object.freeze(
  /** @type {const} */ ([
    "open", // the owner opens the connection
    "received", // a document was received and applied
    "unchanged", // the server has no newer revision
    "early", // an answer without news, or the end of a stream, came too early
    "streamOpened", // the first bytes of the stream were received
    "streamEnded", // the stream ended regularly
    "failed", // there was no answer, or an invalid one
    "serverError", // the server or a proxy answered with a 5xx error
    "silent", // the watchdog timed out
    "busy", // the server asks for a later retry
    "unsupported", // the server or a proxy does not support this transport
    "absent", // the view model does not exist, or no longer
    "diverged", // the result of a document differs from its promise
    "stale", // an answer is based on another revision than the held one
    "advanced", // the reply to a command changed the held revision
    "joined", // the owner asks for more than before
    "scrolled", // the owner asks for another window
    "due", // the timer of the state fired
    "upgrade", // the better transport is to be tried again
    "crowded", // other connections of the browser leave none that may be held open
    "placed", // one may be held open after that
    "hidden", // the page has been hidden for a while
    "shown", // the page is visible
    "woke", // the machine has slept
    "offline", // the browser has lost the network
    "online", // the browser has a network, or the server has answered a command
    "retry", // the owner asks for an attempt now
    "close", // the owner closes the connection
  ]),
);
