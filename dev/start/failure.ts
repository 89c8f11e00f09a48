/** A part that did not start, told so that a person can mend it: printed without a stack. */
export class StartFailure extends Error {}

/** An error's message for a line of output. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
