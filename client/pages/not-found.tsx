export const NOT_FOUND_TITLE = "404 Page Not Found";

export function NotFound() {
  return (
    <main className="mx-auto grid min-h-svh max-w-2xl content-center gap-4 px-4">
      <h1 className="text-3xl font-semibold">{NOT_FOUND_TITLE}</h1>
      <p className="text-quiet">Did you forget to add the page to the router?</p>
      <p>
        <a className="underline" href="/">
          Back to the start
        </a>
      </p>
    </main>
  );
}
