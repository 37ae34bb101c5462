import type { AppsBox } from '../apps/ports.ts';
import type { MachineParts } from '../machine.ts';
import type { SelfUpdateParts } from '../self-update.ts';

export type DoctorBox = AppsBox & MachineParts & SelfUpdateParts;
