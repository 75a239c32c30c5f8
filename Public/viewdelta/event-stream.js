import { EventStreamParser } from "./event-stream-parser.js";
import { diffPreferred } from "./http.js";

/** @typedef {import("./attempt.js").Attempt} Attempt */
/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */

/** The work after which a stream lets its page draw and react, in milliseconds. */
const longestTurn = 50;

/**
 * Requests an event stream and takes its events, until it ends or an event cannot be taken.
 *
 * @param {string} path
 * @param {object} parts
 * @param {Http} parts.http
 * @param {Environment} parts.environment
 * @param {Timing} parts.timing
 * @param {Attempt} parts.attempt
 * @param {(event: ConnectionEvent) => void} parts.tell Called with the events of the open stream.
 * @param {(milliseconds: number) => void} parts.retry Called with the reconnection time.
 * @param {(id: string, data: string | null) => "received" | "unchanged" | "stale" | "diverged" | "absent"
 *   } parts.take Takes an event, or the position of the stream if there is no data. The last three
 *   results end the attempt.
 * @param {() => void} parts.doubt Called if the stream breaks.
 * @returns {Promise<Outcome>}
 */
export async function listen(path, { http, environment, timing, attempt, tell, retry, take, doubt }) {
  const response = await http.response(path, {
    attempt,
    accept: "text/event-stream",
    headers: diffPreferred,
    cache: "no-store",
  });
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream") || !response.body) {
    return { event: "unsupported" };
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventStreamParser();
  let isOpen = false;
  let hasNews = false;
  // What has arrived is read without a pause. If changes always came faster than that, the page would never be drawn.
  let worked = 0;
  const isEarly = () => !isOpen || (!hasNews && environment.now() - attempt.started < timing.streamMinimum);
  for (;;) {
    let chunk;
    try {
      chunk = await reader.read();
    } catch (error) {
      doubt();
      // A broken network says nothing about streams, but a stream that is cut at once or without content does.
      if (isEarly()) return { event: "early", error };
      tell("unchanged");
      return { event: "failed", error };
    }
    const { done, value } = chunk;
    if (done || attempt.isOver) break;
    // A proxy may forward the head and hold the content back, so only content proves that the
    // stream works.
    if (!isOpen) tell("streamOpened");
    isOpen = true;
    attempt.alive(timing.streamSilence);
    try {
      for (const item of parser.push(decoder.decode(value, { stream: true }))) {
        if (item.kind === "retry") retry(item.milliseconds);
        // The first block says nothing about streams: a proxy may end each of them behind it.
        if (item.kind === "comment" && !isEarly()) tell("unchanged");
        if (item.kind !== "event" && item.kind !== "position") continue;
        const start = environment.now();
        const event = take(item.id, item.kind === "event" ? item.data : null);
        if (event !== "received" && event !== "unchanged") return { event };
        hasNews ||= event === "received";
        if (!isEarly()) tell(event);
        worked += environment.now() - start;
        if (worked > longestTurn) {
          await new Promise((resolve) => environment.setTimeout(() => resolve(undefined), 0));
          worked = 0;
        }
        if (attempt.isOver) return { event: "stale" };
      }
    } catch (error) {
      // An event that has no end, or is not JSON, says nothing about the other transports.
      return { event: "serverError", error };
    }
  }
  return { event: isEarly() ? "early" : "streamEnded" };
}
