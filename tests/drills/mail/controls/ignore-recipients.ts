/** Preloaded by a negative control: a worker that doesn't check again who may get a mail when it claims it. */
import { changeSource } from "#tests/drills/faults/controls/change-source.ts";

changeSource("core/mail/deliveries.ts", [["as refusal) as rule", "as ignored, null as refusal) as rule"]]);
