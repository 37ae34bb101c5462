/** A wrong option: said in one line that names it, exit status 2. */
export class WrongOption extends Error {}
