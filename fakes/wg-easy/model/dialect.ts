/** The API variants of wg-easy, by the oldest recorded release of each. */
export type Dialect = '14' | '15.4';

export const dialects: readonly Dialect[] = ['14', '15.4'];
