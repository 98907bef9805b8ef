/** Browser actions, independent of the driver. A selector is CSS, or XPath if it starts with `//`. */
export interface Engine {
  open(url: string): Promise<void>;
  /** Replaces the text of a field. */
  type(selector: string, text: string): Promise<void>;
  /** Waits for the element first. */
  click(selector: string): Promise<void>;
  /** Evaluates a JavaScript expression in the page and returns its value as text. */
  evaluate(expression: string): Promise<string>;
  /** The text of the page in an `<iframe>`. */
  textInFrame(selector: string): Promise<string>;
  /** The folder that the browser saves downloads in. */
  downloads: string;
  close(): Promise<void>;
}

/** How long an element may take to appear. */
export const APPEARS_MS = 15_000;
