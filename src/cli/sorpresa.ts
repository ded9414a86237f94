/** The program `sorpresa`: every command of whoever keeps the product. What a command needs is loaded when it is asked for. */
import { Command, CommanderError } from 'commander';
import { explainFileError } from '../server/data-dir.ts';
import { productVersion } from '../server/features/archive/manifest.ts';
import type { Product } from '../server/start.ts';
import { programTexts } from '../texts/program.ts';

const texts = programTexts.commands;
/** How a call that can't be understood ends. */
const MISUSE = 2;

function program(): Command {
  const sorpresa = new Command('sorpresa');
  sorpresa
    .description(programTexts.description)
    .version(productVersion(), '-V, --version', texts.version)
    .helpOption('-h, --help', texts.help)
    .helpCommand(false)
    .usage(texts.usage)
    .configureHelp({
      styleTitle: (title) => programTexts.headings[title] ?? title,
      subcommandTerm: (command) => `${command.name()} ${command.usage()}`.trim(),
    })
    // The library's sentences are English.
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  const command = (usage: string, description: string) => sorpresa.command(usage).description(description);

  command('start', texts.start)
    .usage('[--share]')
    .option('--share', texts.shareToo)
    .action(async (options: { share?: boolean }) => {
      const { product } = await import('../server/main.ts');
      if (options.share) await shareToo(product);
    });
  command('share', texts.share)
    .usage('[--stop] [--yes]')
    .option('--stop', texts.shareStop)
    .option('--yes', texts.shareYes)
    .action(async (options: { stop?: boolean; yes?: boolean }) =>
      end(await (await import('../server/commands/share.ts')).share(options)),
    );
  command('demo', texts.demo)
    .usage('[--reset] [--share]')
    .option('--reset', texts.reset)
    .option('--share', texts.shareToo)
    .addOption(sorpresa.createOption('--address <url>').hideHelp())
    .action(runDemo);
  command('backup', texts.backup)
    .usage('FILE')
    .argument('<FILE>', texts.backupFile)
    .action(async (file: string) => end(await (await import('../server/commands/backup.ts')).backup(file)));
  command('restore', texts.restore)
    .usage('FILE')
    .argument('<FILE>', texts.restoreFile)
    .action(async (file: string) => end(await (await import('../server/commands/restore.ts')).restore(file)));
  command('reset-password', texts.resetPassword)
    .usage('E-MAIL')
    .argument('<E-MAIL>', texts.email)
    .action(async (email: string) =>
      end(await (await import('../server/commands/reset-password.ts')).setPassword(email)),
    );
  command('moved', texts.moved)
    .usage(' ')
    .action(async () => end(await (await import('../server/commands/moved.ts')).moved()));
  command('doctor', texts.doctor)
    .usage(' ')
    .action(async () => end(await (await import('./doctor/doctor.ts')).doctor()));
  return sorpresa;
}

async function shareToo({ deps }: Product): Promise<void> {
  await (await import('../server/commands/share.ts')).shareHere(deps.sharing, {});
}

async function runDemo(options: { reset?: boolean; address?: string; share?: boolean }): Promise<void> {
  // Neither the real surprise's folder nor the news of every request.
  process.env.DATA_DIR ||= './data-demo';
  process.env.LOG_LEVEL ||= 'warn';
  const product = await (await import('../../demo/run.ts')).runDemo(options);
  if (options.share) await shareToo(product);
}

/** The process goes on until what is still open has closed. */
function end(code: number): void {
  process.exitCode = code;
}

function misuse({ code, message }: CommanderError): string {
  const { wrong } = programTexts;
  const [, named = ''] = /'([^']*)'/.exec(message) ?? [];
  const told: Record<string, string> = {
    'commander.missingArgument': wrong.missing(named),
    'commander.optionMissingArgument': wrong.missing(named),
    'commander.unknownCommand': wrong.unknownCommand(named),
    'commander.unknownOption': wrong.unknownOption(named),
    'commander.excessArguments': wrong.excess,
  };
  return `${told[code] ?? wrong.other} ${wrong.more}`;
}

function tell(failure: unknown): void {
  if (failure instanceof CommanderError) {
    // Help that was asked for, and the version, end well and have been said; without a command the help has been said, too.
    if (failure.exitCode !== 0 && failure.code !== 'commander.help') console.error(misuse(failure));
    end(failure.exitCode === 0 ? 0 : MISUSE);
    return;
  }
  const error = explainFileError(failure);
  console.error(error instanceof Error ? error.message : String(error));
  // A demo that could not be prepared has its server running.
  process.exit(1);
}

process.umask(0o077);
await program().parseAsync().catch(tell);
