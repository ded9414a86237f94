import { walkEvening } from './evening.ts';
import { webkit } from './support/webkit.ts';

walkEvening(webkit);
