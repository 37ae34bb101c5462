import type { Check } from '../check.ts';
import { checks as body } from './body.ts';
import { checks as getAppSettings } from './getAppSettings.ts';
import { checks as listApps } from './listApps.ts';
import { checks as listBundledApps } from './listBundledApps.ts';

/** Every check of the box, in the order of the document's endpoints. */
export const boxChecks: Check[] = [...listApps, ...listBundledApps, ...getAppSettings, ...body];
