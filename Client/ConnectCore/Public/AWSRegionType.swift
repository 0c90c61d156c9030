/// Region by the AWS SDK's name, such as `USEast1` for `us-east-1`. The service does not exist in all regions.
public enum AWSRegionType: Int, Sendable, CaseIterable {
    /// No region. The configuration then needs an endpoint.
    case Unknown
    case USEast1
    case USEast2
    case USWest1
    case USWest2
    case EUWest1
    case EUWest2
    case EUCentral1
    case EUCentral2
    case APSoutheast1
    case APNortheast1
    case APNortheast2
    case APSoutheast2
    case APSoutheast3
    case APSoutheast4
    case APSoutheast5
    case APSoutheast7
    case APSouth1
    case APSouth2
    case SAEast1
    case CNNorth1
    case CACentral1
    case CAWest1
    case USGovWest1
    case CNNorthWest1
    case EUWest3
    case USGovEast1
    case EUNorth1
    case APEast1
    case MECentral1
    case MESouth1
    case AFSouth1
    case EUSouth1
    case EUSouth2
    case ILCentral1

    /// Name in host names, such as `us-east-1`. Empty for ``Unknown``.
    public var name: String { Self.names[rawValue] }

    /// Finds a region by name, such as `us-east-1`. Nil for any other text.
    public init?(name: String) {
        guard !name.isEmpty, let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: index)
    }

    private static let names = [
        "", "us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-west-1", "eu-west-2", "eu-central-1",
        "eu-central-2", "ap-southeast-1", "ap-northeast-1", "ap-northeast-2", "ap-southeast-2",
        "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-7", "ap-south-1", "ap-south-2",
        "sa-east-1", "cn-north-1", "ca-central-1", "ca-west-1", "us-gov-west-1", "cn-northwest-1",
        "eu-west-3", "us-gov-east-1", "eu-north-1", "ap-east-1", "me-central-1", "me-south-1", "af-south-1",
        "eu-south-1", "eu-south-2", "il-central-1",
    ]
}

/// Another name of ``AWSRegionType``.
public typealias Region = AWSRegionType
