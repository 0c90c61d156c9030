import FixtureTools

Console.prepare()
Console.exit(await Tool.run(Array(CommandLine.arguments.dropFirst())))
