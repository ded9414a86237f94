/**
 * `npm run mutants -- --seed 1`: lists the changes of the source that the tests detect. A mutant is an inverted
 * comparison, a removed statement or a changed constant. Its related tests run, the nearest first, until one fails or the
 * timeout ends. A seed draws the same mutants as long as their statements do not change. A stopped run resumes. Needs the
 * tools that `npm test` installs.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { Runner } from './mutants-run.mjs';
import { ensureBuilt, root } from './setup.mjs';

/** Share of each area in the mutants, in percent. */
const AREAS = { server: 40, web: 30, domain: 12, experience: 10, rest: 8 };
/** Excluded: migrations that have run everywhere, pages for developers, types. */
const LEFT_OUT = /^src\/(server\/db\/migrations|web\/dev)\/|\.d\.ts$/;
const OTHER_RUNNERS = /^tests\/(e2e|engines|cluster)\//;

async function main() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '100' },
      // Number of mutants to run before stopping.
      slice: { type: 'string', default: '100000' },
      // Timeout of one mutant's tests.
      seconds: { type: 'string', default: '30' },
      results: { type: 'string' },
    },
  });
  ensureBuilt();
  const results = resolve(values.results ?? join(tmpdir(), `sorpresa-mutants-${values.seed}.jsonl`));
  const sources = filesBelow('src').concat(filesBelow('tests'));
  const importers = importersOf(sources);
  const drawn = draw(sources, values.seed, Number(values.count));
  const done = new Map(readResults(results).map((result) => [result.id, result]));
  const left = drawn.filter(({ id }) => !done.has(id)).slice(0, Number(values.slice));
  console.log(`${drawn.length} mutants of seed ${values.seed}, ${left.length} to try; results in ${results}`);

  const runner = new Runner(Number(values.seconds) * 1000);
  for (const [place, mutant] of left.entries()) {
    const { id, area, file, line, operator, from, to } = mutant;
    const began = Date.now();
    const { outcome, test } = await runner.try(mutant, relatedTests(importers, file));
    const seconds = Math.round((Date.now() - began) / 1000);
    const result = { id, area, file, line, operator, from, to, outcome, test, seconds };
    done.set(id, result);
    appendFileSync(results, `${JSON.stringify(result)}\n`);
    console.log(
      `${place + 1}/${left.length} ${outcome} ${file}:${line} ${operator} (${test ?? '–'}, ${seconds} s)`,
    );
  }
  report(drawn.map(({ id }) => done.get(id)).filter(Boolean));
  process.exit(0);
}

const readResults = (path) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

function report(results) {
  console.log('\n| Area | Killed | Of |\n| --- | ---: | ---: |');
  for (const area of [...Object.keys(AREAS), 'all']) {
    const those = results.filter((result) => area === 'all' || result.area === area);
    console.log(
      `| ${area} | ${those.filter(({ outcome }) => outcome === 'killed').length} | ${those.length} |`,
    );
  }
  console.log('\nNot killed:');
  for (const { id, outcome, file, line, operator, from, to } of results)
    if (outcome !== 'killed')
      console.log(`${outcome} ${id} ${file}:${line} ${operator}: ${oneLine(from)} → ${oneLine(to)}`);
}

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 70);

/** Returns the paths of TypeScript files below a folder of the project, with `/`. */
function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name))
    .toSorted();
}

const parse = (file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);

/** Returns the path that a string in a file names: relative to the file, or to the root without an extension. */
const named = (file, text) =>
  text.startsWith('src/')
    ? `${text}.ts`
    : relative(root, resolve(root, dirname(file), text)).replaceAll('\\', '/');

/** Returns for each file the files that load it: by an import of values, or by naming it or its folder. */
function importersOf(files) {
  const importers = new Map(files.map((file) => [file, []]));
  const filesAt = (path) =>
    importers.has(path)
      ? [path]
      : /^src\/./.test(path)
        ? files.filter((each) => each.startsWith(`${path}/`))
        : [];
  for (const file of files) {
    const visit = (node) => {
      if ((ts.isImportDeclaration(node) && node.importClause?.isTypeOnly) || ts.isTypeNode(node)) return;
      if (ts.isStringLiteralLike(node))
        for (const each of filesAt(named(file, node.text))) importers.get(each).push(file);
      ts.forEachChild(node, visit);
    };
    visit(parse(file));
  }
  return importers;
}

/**
 * Returns the tests that load the file: first those that import it, then by the number of words shared with its path.
 */
function relatedTests(importers, file) {
  const found = new Set([file]);
  for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
  const words = new Set(file.split(/[^a-z]+/));
  const distance = (test) =>
    importers.get(file).includes(test)
      ? -words.size
      : -test.split(/[^a-z]+/).filter((word) => words.has(word)).length;
  return [...found]
    .filter((each) => /\.test\.tsx?$/.test(each) && !OTHER_RUNNERS.test(each))
    .toSorted((a, b) => distance(a) - distance(b));
}

/** Draws by area, and within an area by operator in turn. */
function draw(files, seed, count) {
  const mutants = files
    .filter((file) => file.startsWith('src/') && !LEFT_OUT.test(file))
    .flatMap((file) => mutantsOf(file, seed))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return Object.entries(AREAS).flatMap(([area, share]) => {
    const max = Math.round((count * share) / 100);
    return OPERATORS.flatMap((operator, lane) =>
      mutants
        .filter((each) => each.area === area && each.operator === operator)
        .slice(0, Math.ceil((max - lane) / OPERATORS.length)),
    );
  });
}

const OPERATORS = ['comparison', 'statement', 'constant'];

const TURNED = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
};

function mutantsOf(file, seed) {
  const source = parse(file);
  const area = file.split('/')[1];
  const occurrences = new Map();
  const mutants = [];
  const add = (node, operator, to, what = node) => {
    const from = what.getText(source);
    const text = `${file}|${operator}|${statementOf(node).getText(source)}|${from}`;
    const nth = (occurrences.get(text) ?? 0) + 1;
    occurrences.set(text, nth);
    mutants.push({
      id: createHash('sha256').update(`${seed}|${text}|${nth}`).digest('hex').slice(0, 12),
      area: area in AREAS ? area : 'rest',
      file,
      line: source.getLineAndCharacterOfPosition(what.getStart(source)).line + 1,
      operator,
      from,
      to,
      start: what.getStart(source),
      end: what.getEnd(),
    });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isJsxAttribute(node) && /^(className|class|style|d|id)$/.test(node.name.getText(source))) return;
    if (ts.isBinaryExpression(node) && Object.hasOwn(TURNED, node.operatorToken.getText(source)))
      add(node, 'comparison', TURNED[node.operatorToken.getText(source)], node.operatorToken);
    if (isRemovable(node)) add(node, 'statement', ';');
    const changed = changedConstant(node);
    if (changed !== undefined) add(node, 'constant', changed);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

function statementOf(node) {
  let each = node;
  while (!ts.isStatement(each) && each.parent && !ts.isSourceFile(each.parent)) each = each.parent;
  return each;
}

/** Returns true for a call, an assignment, or an `if` without `else`. */
function isRemovable(node) {
  if (ts.isIfStatement(node)) return node.elseStatement === undefined && !ts.isIfStatement(node.parent);
  if (!ts.isExpressionStatement(node)) return false;
  const isSuper =
    ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword;
  return !isSuper && !ts.isStringLiteral(node.expression);
}

function changedConstant(node) {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true';
  if (ts.isNumericLiteral(node)) return `(${node.text} + 1)`;
  const { parent } = node;
  const isValue = ts.isStringLiteral(node) && !(ts.isPropertyAssignment(parent) && parent.name === node);
  if (!isValue || ts.isExpressionStatement(parent) || isModulePath(parent)) return undefined;
  return ts.isJsxAttribute(parent) ? '""' : node.text === '' ? "'changed'" : "''";
}

const isModulePath = (parent) =>
  ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword;

await main();
