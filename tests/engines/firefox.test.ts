import { walkEvening } from './evening.ts';
import { firefox } from './support/firefox.ts';

walkEvening(firefox);
