/**
 * Returns a function that asks for the current state of something and passes on the answer. An answer is dropped if
 * the answer to a later question came before it. If a question gets no answer, what is known stays: the connection
 * tells why.
 *
 * @template Answer
 * @param {() => Promise<Answer>} ask
 * @param {(answer: Answer) => void} take
 */
export function inOrder(ask, take) {
  let asked = 0;
  let answered = 0;
  return async () => {
    const question = ++asked;
    try {
      const answer = await ask();
      if (question < answered) return;
      answered = question;
      take(answer);
    } catch {
      // What is known is better than nothing.
    }
  };
}
