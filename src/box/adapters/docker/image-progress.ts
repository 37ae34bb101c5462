import type { OnProgress, Progress } from '../../core.ts';

/** A line of Compose, or of BuildKit, is shorter. */
const longestLine = 500;
/** An image has at most 127 layers. */
const mostLayers = 5000;
/** The layer that a line of Compose or BuildKit is about. */
const layerName = /^(?:[0-9a-f]{12}|#\d+ sha256:[0-9a-f]+) /;
/** The time at the end of BuildKit's lines about a layer. */
const elapsed = / [\d.]{1,10}s$/;

const layerLine = /^([0-9a-f]{12}) (Pulling|Waiting|Downloading|Verifying|Download|Extracting|Pull|Already|Retrying)\b/;
const sizes = / ([\d.]{1,10})([kMGT]?)B\/([\d.]{1,10})([kMGT]?)B$/;
const pullLine = /^(?:Image )?\S+ +(?:Pulling|Pulled)$/;
const buildLine = /^#\d+ |^(?:Image )?\S+ +(?:Building|Built)$|^Step \d+\/\d+ :/;
const containerLine = /^(?:Container|Network|Volume) +\S+ +[A-Z]/;
const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

type Layer = { bytes: number; total: number; isDone: boolean };

/**
 * Follows the images in the output of Compose, which prints a line for each change of a layer unless it is asked to be
 * quiet (checked with 2.26 and 2.40). A tool that prints other lines reports no progress.
 *
 * `onOutput` returns a new time limit: images may take as long as they move, and the containers after them
 * `changeMs`. An engine with the image store of containerd, and BuildKit, repeat the line of a layer that does not move.
 */
export function followImages(
  onProgress: OnProgress,
  { changeMs, silenceMs }: { changeMs: number; silenceMs: number },
): { onOutput(text: string): number | undefined; isUnderWay(): boolean } {
  const layers = new Map<string, Layer>();
  const said = new Map<string, string>();
  let rest = '';
  let step: Progress['step'] | null = null;
  const isUnderWay = () => step === 'pulling' || step === 'building';

  return {
    isUnderWay,
    onOutput(text) {
      const lines = `${rest}${text}`.split(/[\r\n]/).map((line) => line.slice(0, longestLine).trim());
      rest = lines.pop() ?? '';
      const wasUnderWay = isUnderWay();
      const before = step;
      let isMoved = false;
      for (const line of lines) {
        step = stepOf(line) ?? step;
        isMoved = isNew(said, line) || isMoved;
        readLayer(layers, line);
      }
      if (step === 'pulling') onProgress({ step, ...pulled(layers) });
      else if (step !== null && step !== before) onProgress({ step });
      if (isUnderWay()) return isMoved ? silenceMs : undefined;
      return wasUnderWay ? changeMs : undefined;
    },
  };
}

/** Whether a line says something else than the line before about its layer. */
function isNew(said: Map<string, string>, line: string): boolean {
  const [layer] = layerName.exec(line) ?? [];
  if (layer === undefined) return line !== '';
  const text = line.replace(elapsed, '');
  if (said.get(layer) === text) return false;
  if (said.size < mostLayers) said.set(layer, text);
  return true;
}

function stepOf(line: string): Progress['step'] | null {
  if (layerLine.test(line) || pullLine.test(line)) return 'pulling';
  if (buildLine.test(line)) return 'building';
  return containerLine.test(line) ? 'starting' : null;
}

function readLayer(layers: Map<string, Layer>, line: string): void {
  const [, id = '', word = ''] = layerLine.exec(line) ?? [];
  if (id === '') return;
  const layer = layers.get(id) ?? { bytes: 0, total: 0, isDone: false };
  if (layers.size < mostLayers) layers.set(id, layer);
  if (word === 'Downloading') {
    const [, bytes = '', byteUnit = '', total = '', totalUnit = ''] = sizes.exec(line) ?? [];
    if (total === '') return;
    layer.bytes = sizeOf(bytes, byteUnit);
    layer.total = sizeOf(total, totalUnit);
  } else if (['Verifying', 'Download', 'Extracting', 'Pull'].includes(word)) {
    layer.bytes = layer.total;
  }
  // `Pull complete` and `Already exists`
  if (word === 'Pull' || word === 'Already') layer.isDone = true;
}

function sizeOf(number: string, unit: string): number {
  return Math.round(Number(number) * (units[unit] ?? 1)) || 0;
}

/** The sizes of layers that wait are not known yet, so the sum grows. */
function pulled(layers: ReadonlyMap<string, Layer>): Omit<Progress, 'step'> {
  if (layers.size === 0) return {};
  const all = [...layers.values()];
  const sum = (of: (layer: Layer) => number) => all.reduce((before, layer) => before + of(layer), 0);
  const [bytes, bytesTotal] = [sum(({ bytes: one }) => one), sum(({ total }) => total)];
  return {
    layers: sum(({ isDone }) => Number(isDone)),
    layers_total: all.length,
    ...(bytesTotal === 0 ? {} : { bytes, bytes_total: bytesTotal }),
  };
}
