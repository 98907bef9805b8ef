const PILLS = 5;

/** Decoration, positioned in hero.css. */
export function Pills() {
  return (
    <div className="pills" aria-hidden="true">
      {Array.from({ length: PILLS }, (_, i) => (
        <div key={i} className="pill">
          <div>
            <div />
          </div>
        </div>
      ))}
    </div>
  );
}
