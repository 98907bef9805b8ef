import { readFileSync } from "node:fs";

export interface Guide {
  /** The commands in a section's code blocks, in order. Throws if the section has none. */
  blocks(heading: string): string[];
  /** The sections with commands, in order. */
  headings(): string[];
  /** Sections with commands that blocks() never returned. */
  unused(): string[];
}

/** Reads a guide's commands by section, so that drills run them as written. */
export function readGuide(path: string): Guide {
  const sections = parseSections(readFileSync(path, "utf8"));
  const used = new Set<string>();
  return {
    blocks(heading) {
      const blocks = sections.get(heading);
      if (!blocks) throw new Error(`${path} has no commands under "${heading}"`);
      used.add(heading);
      return blocks;
    },
    headings: () => [...sections.keys()],
    unused: () => [...sections.keys()].filter((heading) => !used.has(heading)),
  };
}

/** The sh blocks of a Markdown text by heading. Blocks in lists are indented. */
function parseSections(markdown: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let heading = "";
  let block: { indent: string; lines: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    if (block && line.trim() === "```") {
      sections.set(heading, [...(sections.get(heading) ?? []), block.lines.join("\n")]);
      block = undefined;
    } else if (block) {
      block.lines.push(line.slice(block.indent.length));
    } else if (line.trim() === "```sh") {
      block = { indent: line.slice(0, line.indexOf("`")), lines: [] };
    } else {
      heading = /^#+ (?<text>.+)$/.exec(line)?.groups?.text ?? heading;
    }
  }
  return sections;
}

/** Replaces machine-specific text, and throws if the guide no longer contains it. */
export function adapt(commands: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`"${from}" isn't in the guide's commands:\n${text}`);
    return text.replaceAll(from, () => to);
  }, commands);
}
