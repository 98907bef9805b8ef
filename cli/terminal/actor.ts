import { userInfo } from "node:os";
import type { Actor } from "#core/activity/activity.ts";

/** The operating system's user. Every change is recorded under this name. */
export function commandLineActor(): Actor {
  return { name: userName(), via: "command line" };
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return `user ${process.getuid?.()}`;
  }
}
