import type { Fault } from './fault.ts';
import { answerFaults } from './gateway-faults-answers.ts';
import { changeFaults } from './gateway-faults-changes.ts';
import { fileFaults } from './gateway-faults-files.ts';
import { requestFaults } from './gateway-faults-requests.ts';
import { processFaults, settingFaults } from './gateway-faults-settings.ts';

/** Every named fault. Each is a right gateway but for one thing. */
export const gatewayFaults: readonly Fault[] = [
  ...settingFaults,
  ...processFaults,
  ...requestFaults,
  ...changeFaults,
  ...answerFaults,
  ...fileFaults,
];
