/**
 * An event target whose events have a known `detail`.
 *
 * @template {{[type: string]: any}} Details The type of each event's `detail`.
 * @typedef {object} TypedEventTarget
 * @property {<Type extends keyof Details & string>(type: Type,
 *   listener: (event: CustomEvent<Details[Type]>) => void,
 *   options?: boolean | AddEventListenerOptions) => void} addEventListener
 * @property {<Type extends keyof Details & string>(type: Type,
 *   listener: (event: CustomEvent<Details[Type]>) => void,
 *   options?: boolean | EventListenerOptions) => void} removeEventListener
 * @property {(event: Event) => boolean} dispatchEvent
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
