import type { BoxFault } from './box-fault.ts';
import { bodyFaults } from './box-faults-bodies.ts';
import { changeFaults } from './box-faults-changes.ts';
import { choiceFaults } from './box-faults-choices.ts';
import { fieldFaults } from './box-faults-fields.ts';
import { httpFaults } from './box-faults-http.ts';
import { iconFaults } from './box-faults-icons.ts';
import { imageFaults } from './box-faults-images.ts';
import { installFaults } from './box-faults-install.ts';
import { listFaults } from './box-faults-lists.ts';
import { pageFaults } from './box-faults-page.ts';
import { processFaults } from './box-faults-process.ts';
import { reconcileFaults } from './box-faults-reconcile.ts';
import { reinstallFaults } from './box-faults-reinstall.ts';
import { releaseFaults } from './box-faults-releases.ts';
import { removeFaults } from './box-faults-remove.ts';
import { selfUpdateFaults } from './box-faults-self-update.ts';
import { viewFaults } from './box-faults-views.ts';

/** Every named fault of a box. */
export const boxFaults: readonly BoxFault[] = [
  ...httpFaults,
  ...bodyFaults,
  ...fieldFaults,
  ...listFaults,
  ...iconFaults,
  ...viewFaults,
  ...changeFaults,
  ...installFaults,
  ...reinstallFaults,
  ...reconcileFaults,
  ...removeFaults,
  ...imageFaults,
  ...selfUpdateFaults,
  ...releaseFaults,
  ...processFaults,
  ...pageFaults,
  ...choiceFaults,
];

/** Musts that the suite checks and that no fault of ours breaks, with the reason. */
export const unbroken: Readonly<Record<string, string>> = {};
