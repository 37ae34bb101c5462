import type { ApiBox } from '../api/api-box.ts';
import type { EngineBox } from '../engine/ports.ts';
import type { MachineParts } from '../machine.ts';
import type { SelfUpdateParts } from '../self-update.ts';

export type HttpsBox = EngineBox & MachineParts & SelfUpdateParts;

/** A setup looks where the page is open without a login. */
export type SetUpBox = HttpsBox & Pick<ApiBox, 'page'>;
