/** After this long without a key or a pointer, the page stops asking for news, so that the console can end. */
const ACTIVE_MS = 5 * 60_000;
const REFRESH_MS = 5000;

let lastActiveAt = Date.now();
for (const event of ["pointermove", "pointerdown", "keydown"]) {
  addEventListener(event, () => {
    lastActiveAt = Date.now();
  });
}

/** For a query's refetchInterval: keeps a view live while someone is looking at it. */
export function whileActive(): number | false {
  return Date.now() - lastActiveAt < ACTIVE_MS ? REFRESH_MS : false;
}
