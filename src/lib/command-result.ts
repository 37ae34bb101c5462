/** The exit status of a command, and what it prints. */
export type CommandResult = { status: number; text: string };
