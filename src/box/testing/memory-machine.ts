import type { CommandAnswer, Machine, PageAnswer } from '../machine.ts';

/** A machine in memory, on which nothing is set up. Tests assign what it answers. */
export class MemoryMachine implements Machine {
  /** The output of a command by its first words, or why it fails. */
  commands = new Map<string, string | { problem: string }>();
  /** Answers by server, such as `https://127.0.0.1`. */
  pages = new Map<string, Partial<PageAnswer>>();
  hosts = new Map<string, string[]>();
  modes = new Map<string, number>();

  async run(argv: readonly string[]): Promise<CommandAnswer> {
    const line = argv.join(' ');
    const found = [...this.commands].find(([words]) => line.startsWith(words))?.[1];
    if (typeof found === 'string') return { out: found, problem: null };
    return { out: '', problem: found?.problem ?? `there is no program ${argv[0]}` };
  }

  async ask(server: string): Promise<PageAnswer> {
    const none = { status: 0, server: '', date: '', text: '', problem: null, distrust: null, certificateUntil: null };
    const page = this.pages.get(server);
    return { ...none, ...(page ?? { problem: 'ECONNREFUSED' }) };
  }

  resolve = async (host: string) => this.hosts.get(host) ?? [];
  addresses = () => ['127.0.0.1', '192.168.1.7'];
  mode = (path: string) => this.modes.get(path) ?? null;
  system = () => 'Debian GNU/Linux 12, Linux 6.1.0, x64';
  settings = () => ['BOX_ALLOWED_HOSTS'];
}
