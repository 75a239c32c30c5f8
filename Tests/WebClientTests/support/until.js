/** Resolves with the view model when a condition holds, which is checked at each event. */
export function until(model, condition, what) {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`in vain: ${what}`)), 60_000);
    const look = () => {
      if (!condition()) return;
      clearTimeout(deadline);
      for (const type of types) model.removeEventListener(type, look);
      resolve(model);
    };
    const types = ["change", "status", "advanced"];
    for (const type of types) model.addEventListener(type, look);
    look();
  });
}
