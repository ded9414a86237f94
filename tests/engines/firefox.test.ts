import { evenings } from './evenings.ts';
import { firefox } from './support/firefox.ts';

evenings(firefox);
