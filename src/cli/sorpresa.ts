/** The program `sorpresa`: all commands of the administrator. The code of a command is loaded when it runs. */
import { Command, CommanderError } from 'commander';
import { explainFileError } from '../server/data-dir.ts';
import { productVersion } from '../server/place.ts';
import type { Product } from '../server/start.ts';
import { programTexts } from '../texts/commands.ts';

const texts = programTexts.commands;
/** Exit code for wrong usage. */
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
    // The library's own messages are English.
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
    .action(async (file: string) => end(await (await import('../server/commands/install.ts')).backup(file)));
  command('restore', texts.restore)
    .usage('FILE')
    .argument('<FILE>', texts.restoreFile)
    .action(async (file: string) => end(await (await import('../server/commands/install.ts')).restore(file)));
  command('reset-password', texts.resetPassword)
    .usage('E-MAIL')
    .argument('<E-MAIL>', texts.email)
    .action(async (email: string) =>
      end(await (await import('../server/commands/install.ts')).setPassword(email)),
    );
  command('moved', texts.moved)
    .usage(' ')
    .action(async () => end(await (await import('../server/commands/install.ts')).moved()));
  command('doctor', texts.doctor)
    .usage(' ')
    .action(async () => end(await (await import('./doctor/doctor.ts')).doctor()));
  return sorpresa;
}

async function shareToo({ deps }: Product): Promise<void> {
  await (await import('../server/commands/share.ts')).startSharing((action) => deps.sharing[action](), {});
}

async function runDemo(options: { reset?: boolean; address?: string; share?: boolean }): Promise<void> {
  // The demo uses a separate data folder and doesn't log every request.
  process.env.DATA_DIR ||= './data-demo';
  process.env.LOG_LEVEL ||= 'warn';
  const product = await (await import('../../demo/run.ts')).runDemo(options);
  if (options.share) await shareToo(product);
}

/** Sets the exit code; the process ends after open resources are closed. */
function end(code: number): void {
  process.exitCode = code;
}

function misuse({ code, message }: CommanderError): string {
  const { wrong } = programTexts;
  const [, named = ''] = /'([^']*)'/.exec(message) ?? [];
  const messages: Record<string, string> = {
    'commander.missingArgument': wrong.missing(named),
    'commander.optionMissingArgument': wrong.missing(named),
    'commander.unknownCommand': wrong.unknownCommand(named),
    'commander.unknownOption': wrong.unknownOption(named),
    'commander.excessArguments': wrong.excess,
  };
  return `${messages[code] ?? wrong.other} ${wrong.more}`;
}

function reportFailure(failure: unknown): void {
  if (failure instanceof CommanderError) {
    // Requested help and the version end successfully and are already printed; without a command the help is printed too.
    if (failure.exitCode !== 0 && failure.code !== 'commander.help') console.error(misuse(failure));
    end(failure.exitCode === 0 ? 0 : MISUSE);
    return;
  }
  const error = explainFileError(failure);
  console.error(error instanceof Error ? error.message : String(error));
  // A demo that failed during its preparation still has its server running.
  process.exit(1);
}

process.umask(0o077);
await program().parseAsync().catch(reportFailure);
