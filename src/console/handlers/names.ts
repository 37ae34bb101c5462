import { refuse } from '../../box/api/refusals.ts';
import { namesShown } from '../../box/https/https-status.ts';
import type { BoxPorts } from '../../box/ports.ts';
import type { ConsoleHandlers } from '../service.ts';

export function namesHandlers(box: BoxPorts): Pick<ConsoleHandlers, 'showNames' | 'readRootCertificate'> {
  return {
    showNames: async () => {
      const { domain, hasRoot, names, problems } = await namesShown(box);
      return { status: 200 as const, body: { domain, has_root: hasRoot, names, problems } };
    },
    readRootCertificate: async () => {
      const body = box.https.rootCertificate();
      if (body === null) refuse('notFound');
      return { status: 200 as const, type: 'application/x-x509-ca-cert', body };
    },
  };
}
