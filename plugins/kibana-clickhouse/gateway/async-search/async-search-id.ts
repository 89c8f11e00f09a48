import { randomBytes } from 'node:crypto';

/** A full stop: Elasticsearch's own ids are base64url, and never have one. */
const OWN_ID = /^kch\.[A-Za-z0-9_-]{27}$/;
const RANDOM_BYTES = 20;

/** The id of a search that runs on. Nobody can guess it. */
export const newAsyncSearchId = (): string =>
  `kch.${randomBytes(RANDOM_BYTES).toString('base64url')}`;

/** Whether an id is one of ours; all others are Elasticsearch's. */
export const isAsyncSearchId = (id: string): boolean => OWN_ID.test(id);
