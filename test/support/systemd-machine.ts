/** A real systemd in its own namespaces, with the shipped units. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, execute, writtenTo } from './programs.ts';
import { succeeds, waitFor } from './wait.ts';

export type Machine = Awaited<ReturnType<typeof startMachine>>;

/** Whether this process may start one, which needs root and a kernel that allows it. */
export function canHaveMachine(): boolean {
  try {
    const namespaces = '--mount --pid --net --cgroup --fork'.split(' ');
    const test = 'for each in nsenter curl ip /lib/systemd/systemd; do command -v $each; done';
    execFileSync('unshare', [...namespaces, 'bash', '-ec', test], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function startMachine() {
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-machine-'));
  const args = ['test/support/systemd-machine.sh', folder];
  const outer = spawn('bash', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const errors = writtenTo(outer.stderr);
  /** Runs a shell inside; returns its output. */
  const shell = async (script: string): Promise<string> => {
    const pid = await firstProcess(outer);
    const enter = `--target ${pid} --mount --pid --net --uts --ipc --cgroup --root --wd=/`.split(' ');
    const { stdout } = await execute('nsenter', [...enter, 'bash', '-c', script]);
    return stdout;
  };
  await waitFor(async () => {
    if (outer.exitCode !== null) throw new Error(`no machine: ${errors()}`);
    return succeeds(shell('systemctl is-active basic.target'));
  });
  return {
    shell,
    close: async () => {
      await end(outer, () => outer.kill('SIGKILL'));
      const script = `mount -t cgroup2 none groups && find groups/$(basename ${folder}) -depth -type d -exec rmdir {} +`;
      const clear = () => execute('unshare', ['--mount', 'bash', '-c', script], { cwd: folder });
      await waitFor(() => succeeds(clear()));
      await rm(folder, { recursive: true });
    },
  };
}

/** systemd's process id as seen from outside: the only child of `unshare`, which the script became. */
async function firstProcess({ pid }: ChildProcess): Promise<string> {
  const [child = ''] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ');
  return child;
}
