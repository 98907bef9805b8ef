/** Preloaded by a negative control: a worker that doesn't check again who may get a mail when it claims it. */
import { changeSource } from "#tests/drills/faults/controls/change-source.ts";

// "is null is not null" is always true.
changeSource("core/mail/deliveries.ts", [[" is null\n    returning kind", " is null is not null\n    returning kind"]]);
