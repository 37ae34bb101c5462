import { engineState, faultPoint } from '../handler/call.ts';
import { isLocal } from '../handler/images.ts';
import { readFlags } from '../handler/views/flags.ts';
import { Failure } from '../model/failure.ts';
import type { Compose } from './context.ts';
import { loadProject, selectServices } from './files/project.ts';
import type { Service } from './files/service.ts';
import { pullService } from './provide-images.ts';

/** `docker compose pull`: pulls each image once, except built ones. */
export async function pull({ call, global, argv }: Compose): Promise<void> {
  const form = 'q/quiet ignore-buildable ignore-pull-failures include-deps policy= parallel no-parallel';
  const flags = readFlags('compose pull', form, argv);
  const project = loadProject(call, global, flags.rest);
  const services = selectServices(project, flags.rest, flags.has('include-deps'));
  await faultPoint(call, 'compose pull', [project.name, project.sources.directory]);
  engineState(call);
  const quiet = flags.has('quiet');
  const pulled = new Map<string, string>();
  for (const service of services) {
    const reason = skipReason(
      service,
      flags.text('policy') ?? '',
      flags.has('ignore-buildable'),
      pulled,
      isLocal(call.read(), service.image),
    );
    if (reason) {
      if (!quiet) call.err(` ${service.name} ${reason} \n`);
      continue;
    }
    pulled.set(service.image, service.name);
    try {
      await pullService(call, project, service, quiet);
    } catch (error) {
      // `--ignore-pull-failures` ignores a failed pull, and so does Compose for an image that it can build.
      if (!(error instanceof Failure) || !(flags.has('ignore-pull-failures') || service.isBuilt)) throw error;
    }
  }
}

function skipReason(
  service: Service,
  policy: string,
  skipsBuilt: boolean,
  pulled: ReadonlyMap<string, string>,
  isHere: boolean,
): string | null {
  if (service.fields.image === undefined) return 'Skipped - No image to be pulled';
  const wanted = policy || service.pullPolicy;
  if (wanted === 'never' || wanted === 'build') return 'Skipped';
  if ((wanted === 'missing' || wanted === 'if_not_present') && isHere)
    return 'Skipped - Image is already present locally';
  if (service.isBuilt && skipsBuilt) return 'Skipped - Image can be built';
  const by = pulled.get(service.image);
  return by ? `Skipped - Image is already being pulled by ${by}` : null;
}
