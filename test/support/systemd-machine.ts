/** A real systemd, alone in namespaces of its own, with the units that ship. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from './wait.ts';

export interface Machine {
  /** What a shell inside prints. */
  shell(script: string): Promise<string>;
  close(): Promise<void>;
}

/** Whether this process may make such a machine: it needs root, and a kernel that lets it. */
export function canHaveMachine(): boolean {
  try {
    execFileSync(
      'unshare',
      ['--mount', '--pid', '--net', '--cgroup', '--fork', 'test', '-x', '/lib/systemd/systemd'],
      {
        stdio: 'ignore',
      },
    );
    return true;
  } catch {
    return false;
  }
}

export async function startMachine(): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-machine-'));
  const outer = spawn('bash', ['test/support/systemd-machine.sh', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  outer.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const shell = async (script: string): Promise<string> => {
    const pid = await firstProcess(outer);
    const enter = [
      '--target',
      pid,
      '--mount',
      '--pid',
      '--net',
      '--uts',
      '--ipc',
      '--cgroup',
      '--root',
      '--wd=/',
    ];
    const { stdout } = await promisify(execFile)('nsenter', [...enter, 'bash', '-c', script]);
    return stdout;
  };
  await waitFor(async () => {
    if (outer.exitCode !== null) throw new Error(`no machine: ${errors}`);
    return shell('systemctl is-active basic.target').then(
      () => true,
      () => false,
    );
  });
  return {
    shell,
    close: async () => {
      const ended = once(outer, 'exit');
      outer.kill('SIGKILL');
      await ended;
      const script = `mount -t cgroup2 none groups && find groups/$(basename ${folder}) -depth -type d -exec rmdir {} +`;
      await waitFor(() =>
        promisify(execFile)('unshare', ['--mount', 'bash', '-c', script], { cwd: folder }).then(
          () => true,
          () => false,
        ),
      );
      await rm(folder, { recursive: true });
    },
  };
}

/** The id, seen from outside, of systemd: the one child of `unshare`, which the script has become. */
async function firstProcess({ pid }: ChildProcess): Promise<string> {
  const [child = ''] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ');
  return child;
}
