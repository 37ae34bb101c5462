import fc, { type IAsyncPropertyWithHooks, type IPropertyWithHooks, type Parameters } from 'fast-check';

/** Every run tries the same values, so that no build fails by chance. `PROPERTY_SEED=N` tries other ones. */
const seed = Number(process.env.PROPERTY_SEED ?? 20261121);

/** Throws the smallest counterexample with its seed and path if the property does not hold. */
export function holds<T>(property: IPropertyWithHooks<T>, parameters?: Parameters<T>): void;
export function holds<T>(property: IAsyncPropertyWithHooks<T>, parameters?: Parameters<T>): Promise<void>;
export function holds<T>(
  property: IPropertyWithHooks<T> | IAsyncPropertyWithHooks<T>,
  parameters: Parameters<T> = {},
): Promise<void> | void {
  return fc.assert(property as IAsyncPropertyWithHooks<T>, { seed, ...parameters });
}
