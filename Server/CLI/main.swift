import MockServer

Console.exit(await Tool.run(Array(CommandLine.arguments.dropFirst())))
