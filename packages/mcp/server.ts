#!/usr/bin/env node
/** `food-lookup-mcp`: food lookups for an assistant, which starts this program and speaks the Model Context Protocol over its pipes. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { builtInFoods, foodsOf } from './foods.ts';
import { addLookups } from './lookups.ts';
import manifest from './package.json' with { type: 'json' };

const { FOOD_LOOKUP_URL: address = '' } = process.env;
const server = new McpServer(
  { name: 'food-lookup', title: 'Food lookup', version: manifest.version },
  {
    instructions:
      'Figures are per 100 g, or for the amount of weigh_foods. Null is unknown, not zero: say so.',
  },
);
addLookups(server, address === '' ? builtInFoods() : foodsOf(address));
await server.connect(new StdioServerTransport());
