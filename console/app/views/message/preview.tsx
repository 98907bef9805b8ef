import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { navigate, useView } from "#console/app/http/location.tsx";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import type { ColorScheme, Preview as PreviewData } from "#console/contract/messages.ts";

const VIEWS = { light: "Light", dark: "Dark", phone: "Phone", text: "Text" };
type View = keyof typeof VIEWS;

interface PreviewProps {
  /** Changes with the text. */
  source: string;
  load: (scheme: ColorScheme, signal: AbortSignal) => Promise<PreviewData>;
}

/** The mail as a sample person would get it. */
export function Preview({ source, load }: PreviewProps) {
  const { query } = useView();
  const chosen = new URLSearchParams(query).get("view") ?? "light";
  const view: View = chosen in VIEWS ? (chosen as View) : "light";
  const scheme = view === "dark" ? "dark" : "light";
  const preview = useQuery({
    queryKey: ["preview", source, scheme],
    queryFn: ({ signal }) => load(scheme, signal),
    placeholderData: keepPreviousData,
    retry: false,
    // Its path expires, so an old one is of no use.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const open = (name: string) => {
    const next = new URLSearchParams(query);
    next.set("view", name);
    navigate(`?${next}`, { replace: true });
  };
  return (
    <section className="preview card" aria-label="Preview">
      <header>
        <h2>Preview</h2>
        <fieldset className="segments" aria-label="Show as">
          {Object.entries(VIEWS).map(([name, title]) => (
            <button key={name} type="button" aria-pressed={name === view} onClick={() => open(name)}>
              {title}
            </button>
          ))}
        </fieldset>
      </header>
      {preview.error && <p role="alert">{preview.error.message}</p>}
      {preview.isPending && (
        <p className="state" role="status">
          Loading…
        </p>
      )}
      {preview.data && <Mail mail={preview.data} view={view} />}
    </section>
  );
}

function Mail({ mail: { from, subject, text, path }, view }: { mail: PreviewData; view: View }) {
  return (
    <>
      <dl className="envelope">
        {from && (
          <div>
            <dt>From</dt>
            <dd>
              <bdi>{from}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>Subject</dt>
          <dd>
            <bdi>{subject}</bdi>
          </dd>
        </div>
      </dl>
      {view === "text" && (
        <ScrollRegion className="mail" label="Text of the email">
          <pre>{text}</pre>
        </ScrollRegion>
      )}
      {/* Hidden rather than removed, because it couldn't load again once its path has expired. */}
      <iframe className={`mail ${view}`} title="The email" sandbox="" src={path} hidden={view === "text"} />
    </>
  );
}
