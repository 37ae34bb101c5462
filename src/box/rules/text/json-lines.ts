import { isJsonObject, parseJson } from '../../../lib/json.ts';

/** The objects of a text that has one JSON object a line. Other lines are left out: a kill can cut a line off. */
export function parseJsonLines(text: string): Record<string, unknown>[] {
  return text.split('\n').map(parseJson).filter(isJsonObject);
}
