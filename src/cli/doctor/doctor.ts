import { type Env, readEnv } from '../../server/env.ts';
import { doctorTexts } from '../../texts/commands.ts';
import {
  type CheckResult,
  checkAddress,
  checkBucket,
  checkData,
  checkDisk,
  checkFolder,
  checkHttpsPorts,
  checkMediaWorker,
  checkNode,
  checkPort,
} from './checks.ts';

const MARKS: Record<CheckResult['mark'], string> = { good: '✓', note: '!', bad: '✗' };

/** Runs all checks, prints one line for each, and changes nothing. Returns the exit code: 1 if a check fails. */
export async function doctor(): Promise<number> {
  let isWell = true;
  for await (const { mark, text } of findings()) {
    console.log(`${MARKS[mark]} ${text}`);
    isWell &&= mark !== 'bad';
  }
  console.log(`\n${isWell ? doctorTexts.ends.good : doctorTexts.ends.bad}`);
  return isWell ? 0 : 1;
}

async function* findings(): AsyncGenerator<CheckResult> {
  yield checkNode();
  const env = settings();
  if ('mark' in env) {
    yield env;
    return;
  }
  yield checkFolder(env);
  yield await checkData(env);
  yield* await checkBucket(env);
  yield checkDisk(env);
  yield await checkMediaWorker();
  yield await checkPort(env);
  yield* await checkHttpsPorts(env);
  yield checkAddress(env);
}

function settings(): Env | CheckResult {
  try {
    return readEnv(process.env);
  } catch (error) {
    return {
      mark: 'bad',
      text: doctorTexts.settings(error instanceof Error ? error.message : String(error)),
    };
  }
}
