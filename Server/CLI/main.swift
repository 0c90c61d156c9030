print("polymock")
