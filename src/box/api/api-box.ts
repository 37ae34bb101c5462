import type { AppsBox } from '../apps/ports.ts';
import type { SelfUpdateParts } from '../self-update.ts';

export type Page = { html: string; headers: Readonly<Record<string, string>> };

/** What the operations of the API work with. `page`: the management page, made on first use. */
export type ApiBox = AppsBox & SelfUpdateParts & { page(): Page };
