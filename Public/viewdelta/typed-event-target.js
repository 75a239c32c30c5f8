/**
 * A function that is called with an event, or an object with the method `handleEvent`.
 *
 * @template Detail
 * @typedef {((event: CustomEvent<Detail>) => void) | {handleEvent(event: CustomEvent<Detail>): void} | null} Listener
 */

/**
 * An event target whose events have a known `detail`. It can be passed on as an `EventTarget`.
 *
 * @template {{[type: string]: any}} Details The type of each event's `detail`.
 * @typedef {{
 *   addEventListener<Type extends keyof Details & string>(type: Type, listener: Listener<Details[Type]>,
 *     options?: boolean | AddEventListenerOptions): void,
 *   removeEventListener<Type extends keyof Details & string>(type: Type, listener: Listener<Details[Type]>,
 *     options?: boolean | EventListenerOptions): void,
 *   dispatchEvent(event: Event): boolean,
 * }} TypedEventTarget
 */

/**
 * The base class of classes with typed events; at run time it is `EventTarget`. The type of the
 * constant to which it is assigned declares the events.
 *
 * @returns {new () => TypedEventTarget<any>}
 */
export function typedEventTarget() {
  return /** @type {any} */ (EventTarget);
}
