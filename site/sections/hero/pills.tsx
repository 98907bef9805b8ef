const PILLS = 5;

/** Decoration; hero.css places them. */
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
