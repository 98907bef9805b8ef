export function SessionEnded() {
  return (
    <main className="state">
      <h1>This tab has no session</h1>
      <p>
        The link in the terminal works once, in one tab. Start the console again and open the new link:{" "}
        <code>npx waitlist console</code>
      </p>
    </main>
  );
}
